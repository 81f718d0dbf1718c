/* An Elo-style rating with an interval over corpora: mvarena.analysis.ratings, in the page. */
(function (mv) {
  "use strict";
  const MEAN = 1000;
  const POINTS = 400;
  const DRAWS_ASSUMED = 1;
  const MOST_STEPS = 10000;
  const TOLERANCE = 1e-8;

  /* Who is ahead of whom on each corpus, ties half: one k x k array, row by row, per corpus. */
  function meetings(table) {
    const k = table.contestants.length;
    return table.ranks.map(function (row) {
      const won = new Float64Array(k * k);
      for (let a = 0; a < k; a++) {
        for (let b = 0; b < k; b++) if (a !== b) won[a * k + b] = row[a] < row[b] ? 1 : row[a] === row[b] ? 0.5 : 0;
      }
      return won;
    });
  }

  function weighted(won, weights, k) {
    const sum = new Float64Array(k * k);
    won.forEach(function (one, d) {
      if (weights[d]) for (let i = 0; i < sum.length; i++) sum[i] += weights[d] * one[i];
    });
    return sum;
  }

  /* Ratings of greatest likelihood, by the minorisation of Hunter (2004). */
  function fitted(sum, k) {
    const wins = new Float64Array(k);
    const met = new Float64Array(k * k);
    const assumed = DRAWS_ASSUMED / 2;
    for (let a = 0; a < k; a++) {
      for (let b = 0; b < k; b++) {
        if (a === b) continue;
        wins[a] += sum[a * k + b] + assumed;
        met[a * k + b] = sum[a * k + b] + sum[b * k + a] + 2 * assumed;
      }
    }
    let strength = new Float64Array(k).fill(1);
    for (let step = 0; step < MOST_STEPS; step++) {
      const renewed = new Float64Array(k);
      let logs = 0;
      for (let a = 0; a < k; a++) {
        let chances = 0;
        for (let b = 0; b < k; b++) if (a !== b) chances += met[a * k + b] / (strength[a] + strength[b]);
        renewed[a] = wins[a] / chances;
        logs += Math.log(renewed[a]);
      }
      const scale = Math.exp(logs / k);
      let change = 0;
      for (let a = 0; a < k; a++) {
        renewed[a] /= scale;
        change = Math.max(change, Math.abs(Math.log(renewed[a] / strength[a])));
      }
      strength = renewed;
      if (change < TOLERANCE) break;
    }
    return Array.from(strength, function (one) { return MEAN + POINTS * Math.log10(one); });
  }

  /* The ratings, in the order of the standings. */
  mv.ratings = function (table) {
    const k = table.contestants.length;
    return fitted(weighted(meetings(table), table.ranks.map(function () { return 1; }), k), k);
  };

  /* The central 95 % of the ratings over drawn corpora, handed to `done` as [{low, high}]. It works in slices, so that
     the page stays alive; what is returned stops it. */
  mv.ratingIntervals = function (table, start, count, done) {
    const k = table.contestants.length;
    const won = meetings(table);
    const draws = mv.drawnDatasets(table.ranks.length, count, start);
    const seen = new Map();
    const found = [];
    let stopped = false;
    (function slice() {
      const until = Date.now() + 25;
      while (found.length < draws.length && Date.now() < until) {
        const weights = draws[found.length];
        const key = weights.join(" ");
        if (!seen.has(key)) seen.set(key, fitted(weighted(won, weights, k), k));
        found.push(seen.get(key));
      }
      if (stopped) return;
      if (found.length < draws.length) setTimeout(slice, 0);
      else done(table.contestants.map(function (_, a) { return interval(found.map(function (one) { return one[a]; })); }));
    })();
    return function () { stopped = true; };
  };

  function interval(values) {
    const sorted = values.slice().sort(function (a, b) { return a - b; });
    const low = quantile(sorted, 0.025);
    const high = quantile(sorted, 0.975);
    return high - low <= 1e-6 ? { low: NaN, high: NaN } : { low: low, high: high }; // all draws agree: that says nothing
  }

  function quantile(sorted, share) {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
  }
})((window.mvarena = window.mvarena || {}));
