/* The draws of data sets behind the intervals of ratings: NumPy's generator (PCG64) and its multinomial draws. */
(function (mv) {
  "use strict";
  const MULTIPLIER = 47026247687942121848144207491837523525n;
  const MASK = (1n << 128n) - 1n;
  const LOW = (1n << 64n) - 1n;

  function generator(start) {
    let state = BigInt(start.state);
    const increment = BigInt(start.increment);
    return function () {
      state = (state * MULTIPLIER + increment) & MASK;
      const turn = state >> 122n;
      const mixed = ((state >> 64n) ^ state) & LOW;
      const bits = ((mixed >> turn) | (mixed << ((64n - turn) & 63n))) & LOW;
      return Number(bits >> 11n) / 9007199254740992;
    };
  }

  /* One binomial draw by inversion, which NumPy takes where the expected count is at most 30. */
  function inverted(next, n, p) {
    const q = 1 - p;
    const none = Math.exp(n * Math.log(q));
    const expected = n * p;
    const bound = Math.trunc(Math.min(n, expected + 10 * Math.sqrt(expected * q + 1)));
    let x = 0;
    let px = none;
    let u = next();
    while (u > px) {
      x += 1;
      if (x > bound) {
        x = 0;
        px = none;
        u = next();
      } else {
        u -= px;
        px = ((n - x + 1) * p * px) / (x * q);
      }
    }
    return x;
  }

  function binomial(next, n, p) {
    if (n === 0 || p === 0) return 0;
    if (p <= 0.5) return inverted(next, n, p);
    const q = 1 - p;
    return n - (q * n === 0 ? 0 : inverted(next, n, q));
  }

  /* `count` draws of how often each of n data sets comes up among n drawn with replacement. */
  mv.drawnDatasets = function (n, count, start) {
    const next = generator(start);
    const draws = [];
    for (let draw = 0; draw < count; draw++) {
      const found = new Array(n).fill(0);
      let left = n;
      let remaining = 1;
      for (let j = 0; j < n - 1 && left > 0; j++) {
        found[j] = binomial(next, left, 1 / n / remaining);
        left -= found[j];
        remaining -= 1 / n;
      }
      if (left > 0) found[n - 1] += left;
      draws.push(found);
    }
    return draws;
  };
})((window.mvarena = window.mvarena || {}));
