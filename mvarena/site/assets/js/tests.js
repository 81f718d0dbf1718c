/* Wilcoxon's signed-rank test with Holm's correction, pairs, cliques and Friedman's test: mvarena.analysis, in the page. */
(function (mv) {
  "use strict";
  const EXACT_UP_TO = 200;
  mv.LEAST_CORPORA = 6;
  const distributions = new Map();

  /* The two-sided p-value that paired differences are symmetric about 0; 1 where all are 0. */
  mv.signedRankP = function (differences) {
    const scale = differences.reduce(function (most, one) { return Math.max(most, Math.abs(one)); }, 0);
    const values = differences.map(function (one) { return Math.abs(one) <= 1e-12 * scale ? 0 : one; });
    if (!values.some(Boolean)) return 1;
    const ranks = mv.rankdata(values.map(function (one) { return mv.round12(Math.abs(one) / scale); }));
    let rising = 0;
    const signed = [];
    values.forEach(function (one, i) {
      if (one > 0) rising += ranks[i];
      if (one !== 0) signed.push(ranks[i]);
    });
    if (signed.length <= EXACT_UP_TO) return exactP(rising, signed);
    const total = signed.reduce(function (sum, rank) { return sum + rank; }, 0);
    const deviation = Math.sqrt(signed.reduce(function (sum, rank) { return sum + rank * rank; }, 0) / 4);
    return Math.min(1, 2 * mv.normalTail((Math.abs(rising - total / 2) - 0.5) / deviation));
  };

  function exactP(rising, ranks) {
    const doubled = ranks.map(function (rank) { return Math.round(2 * rank); }).sort(function (a, b) { return a - b; });
    const key = doubled.join(" ");
    if (!distributions.has(key)) distributions.set(key, chancesOf(doubled));
    const chances = distributions.get(key);
    const centre = (chances.length - 1) / 2;
    const distance = Math.abs(2 * rising - centre);
    let p = 0;
    for (let i = 0; i < chances.length; i++) if (Math.abs(i - centre) >= distance - 1e-9) p += chances[i];
    return Math.min(1, p);
  }

  function chancesOf(doubled) {
    const total = doubled.reduce(function (sum, one) { return sum + one; }, 0);
    const chances = new Float64Array(total + 1);
    chances[0] = 1;
    doubled.forEach(function (rank) {
      for (let i = total; i >= 0; i--) chances[i] = (chances[i] + (i >= rank ? chances[i - rank] : 0)) / 2;
    });
    return chances;
  }

  /* Holm's step-down correction; the order is kept. */
  mv.holm = function (given) {
    const order = given.map(function (_, i) { return i; }).sort(function (a, b) { return given[a] - given[b] || a - b; });
    const corrected = new Array(given.length);
    let most = 0;
    order.forEach(function (place, step) {
      most = Math.max(most, given[place] * (given.length - step));
      corrected[place] = Math.min(most, 1);
    });
    return corrected;
  };

  /* One object per pair, the better mean rank first: places of both, gain, wins, ties, losses, p, holm. */
  mv.pairs = function (table) {
    const found = [];
    const k = table.contestants.length;
    for (let first = 0; first < k; first++) {
      for (let second = first + 1; second < k; second++) {
        const gains = table.values.map(function (row) {
          return table.higher ? row[first] - row[second] : row[second] - row[first];
        });
        const ahead = gains.map(function (gain) { return Math.abs(gain) <= 1e-12 ? 0 : gain; });
        found.push({
          first: first, second: second, gain: mv.mean(ahead), p: mv.signedRankP(ahead),
          wins: ahead.filter(function (one) { return one > 0; }).length,
          ties: ahead.filter(function (one) { return one === 0; }).length,
          losses: ahead.filter(function (one) { return one < 0; }).length,
        });
      }
    }
    const corrected = mv.holm(found.map(function (pair) { return pair.p; }));
    found.forEach(function (pair, i) { pair.holm = corrected[i]; });
    return found;
  };

  /* Whether contestants may be told apart: on enough corpora that separate them from controls, and by Friedman's test. */
  mv.mayDiffer = function (table, alpha) {
    if (Math.min(table.ranks.length, table.separating) < mv.LEAST_CORPORA) return false;
    return table.contestants.length === 2 || mv.friedmanP(table) <= alpha;
  };

  /* The largest groups of neighbours in which no two can be told apart, as [first, last] places. */
  mv.cliques = function (table, pairs, alpha) {
    const k = table.contestants.length;
    if (!mv.mayDiffer(table, alpha)) return [[0, k - 1]];
    const differ = new Set();
    pairs.forEach(function (pair) { if (pair.holm <= alpha) differ.add(pair.first * k + pair.second); });
    const groups = [];
    for (let start = 0; start < k; start++) {
      let end = start;
      while (end + 1 < k && allAlike(start, end)) end++;
      if (end > start && (!groups.length || end > groups[groups.length - 1][1])) groups.push([start, end]);
    }
    return groups;

    function allAlike(start, end) {
      for (let one = start; one <= end; one++) if (differ.has(one * k + end + 1)) return false;
      return true;
    }
  };

  /* The p-value of Friedman's test on the ranks, by the F of Iman and Davenport. */
  mv.friedmanP = function (table) {
    const n = table.ranks.length;
    const k = table.contestants.length;
    const middle = (k + 1) / 2;
    let spread = 0;
    table.ranks.forEach(function (row) { row.forEach(function (rank) { spread += (rank - middle) * (rank - middle); }); });
    if (n < 2 || k < 2 || spread === 0) return 1;
    const between = n * table.meanRanks.reduce(function (sum, rank) { return sum + (rank - middle) * (rank - middle); }, 0);
    const chiSquare = (n * (k - 1) * between) / spread;
    const rest = n * (k - 1) - chiSquare;
    const f = rest > 1e-12 ? ((n - 1) * chiSquare) / rest : Infinity;
    return mv.fTail(f, k - 1, (k - 1) * (n - 1));
  };
})((window.mvarena = window.mvarena || {}));
