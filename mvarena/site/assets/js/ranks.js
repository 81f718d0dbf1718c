/* Means, ranks and groups. */
(function (mv) {
  "use strict";

  mv.mean = (values) => values.length ? values.reduce((sum, one) => sum + one, 0) / values.length : NaN;

  const ROUNDING = 1e-12; // differences up to this, relative to numbers above 1, are ties

  mv.tied = (a, b) => a === b || Math.abs(a - b) <= ROUNDING * (Number.isFinite(b) ? Math.max(1, Math.abs(b)) : 1);

  /* 1 for the least; those that differ by rounding alone share the mean of their ranks. */
  mv.tiedRanks = function (values) {
    const order = values.map((_, i) => i).sort((a, b) => values[a] < values[b] ? -1 : values[a] > values[b] ? 1
      : a - b);
    const ranks = new Array(values.length);
    for (let start = 0; start < order.length;) {
      let end = start;
      while (end + 1 < order.length && mv.tied(values[order[end]], values[order[end + 1]])) end++;
      for (let i = start; i <= end; i++) ranks[order[i]] = (start + end) / 2 + 1;
      start = end + 1;
    }
    return ranks;
  };

  /* key -> the items of that key, in their order. */
  mv.grouped = function (items, keyOf) {
    const groups = new Map();
    items.forEach((item) => {
      const key = keyOf(item);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(item);
    });
    return groups;
  };
})((window.mvarena = window.mvarena || {}));
