/* Written sentences: what may be claimed from standings, and what may not: mvarena.analysis.claims, in the page. */
(function (mv) {
  "use strict";
  mv.claim = function (table, pairs, names, alpha) {
    const n = table.ranks.length;
    const k = names.length;
    const tests = (k * (k - 1)) / 2;
    const over = "Over " + table.over;
    if (n < mv.LEAST_CORPORA) return over + " nothing can be claimed with fewer than " + mv.LEAST_CORPORA + " corpora.";
    if (table.separating < mv.LEAST_CORPORA) {
      return over + " nothing can be claimed: on " + table.separating + " of " + n + " corpora a tenth of the methods or more are above " +
        "the better control; a claim takes " + mv.LEAST_CORPORA + " such corpora.";
    }
    const overall = mv.friedmanP(table);
    if (k > 2 && overall > alpha) {
      return over + " no difference among the " + k + " methods can be claimed (Friedman, p " + shown(overall) + ").";
    }
    const differ = k > 2 ? over + " the " + k + " methods differ (Friedman, p " + shown(overall) + ")." : over + ":";
    if (leastP(n) * tests > alpha) {
      const chosen = leastP(n) * (k - 1) <= alpha
        ? "; a method chosen beforehand (--against NAME) can be compared with the " + (k - 1) + " others" : "";
      return differ + " Which pairs differ cannot be said: " + tests + " test" + (tests === 1 ? "" : "s") + " at " + alpha + " take " +
        needed(tests, alpha) + " corpora or more" + chosen + ".";
    }
    return differ + " " + ofFirst(pairs.filter(function (pair) { return pair.first === 0; }), names, alpha, tests);
  };

  function ofFirst(pairs, names, alpha, tests) {
    const called = function (pair) { return names[pair.second]; };
    const differs = pairs.filter(function (pair) { return pair.holm <= alpha; });
    const better = differs.filter(function (pair) { return pair.gain > 0; }).map(called);
    const worse = differs.filter(function (pair) { return pair.gain < 0; }).map(called);
    const test = "(Wilcoxon, Holm over all " + tests + " pair" + (tests === 1 ? "" : "s") + ", " + alpha + ")";
    const k = pairs.length;
    const everybody = k === 1 ? "the other" : "all " + k + " others";
    if (!better.length && !worse.length) return names[0] + " cannot be claimed to differ from any other " + test + ".";
    if (better.length === k || worse.length === k) {
      return names[0] + " can be claimed to be " + (better.length ? "better" : "worse") + " than " + everybody + " " + test + ".";
    }
    const parts = [];
    if (better.length) parts.push("better than " + better.length + " of the " + k + " others");
    if (worse.length) parts.push("worse than " + listed(worse));
    const alike = pairs.filter(function (pair) { return pair.holm > alpha; }).map(called);
    const rest = alike.length ? "; not significantly different from " + listed(alike) : "";
    return names[0] + " can be claimed to be " + parts.join(" and ") + rest + " " + test + ".";
  }

  /* The smallest p-value that n differences can give. */
  function leastP(n) {
    return Math.min(1, Math.pow(2, 1 - n));
  }

  function needed(count, alpha) {
    let n = 1;
    while (leastP(n) * count > alpha) n++;
    return Math.max(n, mv.LEAST_CORPORA);
  }

  function listed(names) {
    if (names.length > 6) return names.slice(0, 6).join(", ") + " and " + (names.length - 6) + " more";
    if (names.length === 1) return names[0];
    return names.slice(0, -1).join(", ") + " and " + names[names.length - 1];
  }

  function shown(p) {
    return p >= 0.001 ? "= " + Number(p.toPrecision(2)) : "< 0.001";
  }
})((window.mvarena = window.mvarena || {}));
