/* One written sentence: what may be claimed from standings, and what may not: mvarena.analysis.claims, in the page. */
(function (mv) {
  "use strict";

  mv.claim = function (table, pairs, names, alpha) {
    const n = table.ranks.length;
    const k = names.length;
    const count = (k * (k - 1)) / 2;
    const on = "With " + n + " data set" + (n === 1 ? "" : "s");
    if (leastP(n) * count > alpha) {
      return on + " no difference among " + k + " contestants can be claimed, whatever the results: " + count +
        " pairwise test" + (count === 1 ? "" : "s") + " at " + alpha + " need " + needed(count, alpha) +
        " data sets or more.";
    }
    const overall = mv.friedman(table);
    if (k > 2 && overall.pF > alpha) {
      return on + " no difference among the " + k + " contestants can be claimed (Friedman, p " + shown(overall.pF) + ").";
    }
    const own = pairs.filter(function (pair) { return pair.first === 0; });
    const beaten = own.filter(function (pair) { return pair.holm <= alpha && pair.gain > 0; });
    if (!beaten.length) {
      const found = pairs.filter(function (pair) { return pair.holm <= alpha; }).length;
      const rest = found ? "; " + found + " of the " + count + " pairs differ" : "";
      return on + " " + names[0] + ", first by mean rank, cannot be claimed to be better than any other" + rest + ".";
    }
    const level = own.filter(function (pair) { return beaten.indexOf(pair) < 0; });
    if (!level.length) {
      return on + " " + names[0] + " can be claimed to be better than all " + (k - 1) + " others (Wilcoxon with Holm, " +
        alpha + ").";
    }
    return on + " " + names[0] + " can be claimed to be better than " + beaten.length + " of the " + (k - 1) +
      " others (Wilcoxon with Holm, " + alpha + "), but not than " +
      listed(level.map(function (pair) { return names[pair.second]; })) + ".";
  };

  /* The smallest p-value that n differences can give. */
  function leastP(n) {
    return Math.min(1, Math.pow(2, 1 - n));
  }

  function needed(count, alpha) {
    let n = 1;
    while (leastP(n) * count > alpha) n++;
    return n;
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
