/* Tails of distributions: the normal and F, by the incomplete gamma and beta functions. */
(function (mv) {
  "use strict";
  const LANCZOS = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];

  function logGamma(x) {
    if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
    let sum = 0.99999999999980993;
    LANCZOS.forEach(function (one, i) { sum += one / (x + i); });
    const t = x + 6.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }

  /* The upper regularised incomplete gamma function. */
  function gammaTail(a, x) {
    if (!(x > 0)) return 1;
    if (x === Infinity) return 0;
    const scale = Math.exp(-x + a * Math.log(x) - logGamma(a));
    if (x < a + 1) {
      let term = 1 / a;
      let sum = term;
      for (let n = 1; n < 10000 && Math.abs(term) > Math.abs(sum) * 1e-16; n++) sum += term *= x / (a + n);
      return 1 - sum * scale;
    }
    let b = x + 1 - a;
    let c = 1e300;
    let d = 1 / b;
    let h = d;
    for (let i = 1; i < 10000; i++) {
      const an = -i * (i - a);
      b += 2;
      d = 1 / guarded(an * d + b);
      c = guarded(b + an / c);
      h *= d * c;
      if (Math.abs(d * c - 1) < 1e-15) break;
    }
    return h * scale;
  }

  function guarded(value) {
    return Math.abs(value) < 1e-300 ? 1e-300 : value;
  }

  /* The regularised incomplete beta function. */
  function beta(x, a, b) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const scale = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
    return x < (a + 1) / (a + b + 2) ? (scale * fraction(x, a, b)) / a : 1 - (scale * fraction(1 - x, b, a)) / b;
  }

  function fraction(x, a, b) {
    let c = 1;
    let d = 1 / guarded(1 - ((a + b) * x) / (a + 1));
    let h = d;
    for (let m = 1; m < 10000; m++) {
      let step = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / guarded(1 + step * d);
      c = guarded(1 + step / c);
      h *= d * c;
      step = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / guarded(1 + step * d);
      c = guarded(1 + step / c);
      h *= d * c;
      if (Math.abs(d * c - 1) < 1e-15) break;
    }
    return h;
  }

  mv.normalTail = function (z) {
    return z < 0 ? 1 - mv.normalTail(-z) : 0.5 * gammaTail(0.5, (z * z) / 2);
  };

  mv.fTail = function (x, first, second) {
    return x === Infinity ? 0 : beta(second / (second + first * x), second / 2, first / 2);
  };
})((window.mvarena = window.mvarena || {}));
