/* Ranks and means, as scipy.stats.rankdata and NumPy give them. */
(function (mv) {
  "use strict";

  mv.mean = function (values) {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i];
    return values.length ? sum / values.length : NaN;
  };

  /* To twelve decimals, so that rounding errors make no difference. */
  mv.round12 = function (value) {
    return Number.isFinite(value) ? Math.round(value * 1e12) / 1e12 : value;
  };

  /* 1 for the least; equal ones share the mean of their ranks. */
  mv.rankdata = function (values) {
    const order = values.map(function (_, i) { return i; });
    order.sort(function (a, b) { return values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : 0; });
    const ranks = new Array(values.length);
    for (let start = 0; start < order.length;) {
      let end = start;
      while (end + 1 < order.length && values[order[end + 1]] === values[order[start]]) end++;
      for (let i = start; i <= end; i++) ranks[order[i]] = (start + end) / 2 + 1;
      start = end + 1;
    }
    return ranks;
  };
})((window.mvarena = window.mvarena || {}));
