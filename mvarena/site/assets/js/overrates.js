/* One number per data set, corruption and contestant, over the rates: mvarena.analysis.over_rates, in the page. */
(function (mv) {
  "use strict";

  /* trials, values: tables of the data; chosen(i): whether a trial takes part. The mean over the repeats of the mean over
     the rates; a repeat that lacks a rate is left out. Rows: {dataset, corruption, contestant, mean, wall_s, picked}. mean is
     null where no repeat has all rates. */
  mv.overRates = function (trials, values, chosen) {
    const places = new Map();
    const entries = new Map();
    for (let i = 0; i < trials.n; i++) {
      if (!values.counts[i] || !chosen(i)) continue;
      const place = trials.dataset[i] + " " + trials.corruption[i];
      if (!places.has(place)) places.set(place, new Set());
      places.get(place).add(trials.rate[i]);
      const key = place + " " + trials.contestant[i];
      if (!entries.has(key)) entries.set(key, { place: place, rows: [] });
      entries.get(key).rows.push(i);
    }
    return Array.from(entries.values(), function (entry) {
      return entryOf(trials, values, entry.rows, places.get(entry.place).size);
    });
  };

  function entryOf(trials, values, rows, rates) {
    const repeats = new Map();
    rows.forEach(function (i) {
      const key = mv.text(trials.seed, i) + " " + trials.repeat[i];
      if (values.value[i] === null) return;
      if (!repeats.has(key)) repeats.set(key, { values: [], seconds: [], rates: new Set() });
      const repeat = repeats.get(key);
      repeat.values.push(values.value[i]);
      repeat.rates.add(trials.rate[i]);
      if (trials.wall_s[i] !== null) repeat.seconds.push(trials.wall_s[i]);
    });
    const whole = Array.from(repeats.values()).filter(function (one) { return one.rates.size === rates; });
    const means = whole.map(function (one) { return mv.mean(one.values); });
    const seconds = whole.filter(function (one) { return one.seconds.length; }).map(function (one) { return mv.mean(one.seconds); });
    const first = rows[0];
    return {
      dataset: trials.dataset[first], corruption: trials.corruption[first], contestant: trials.contestant[first],
      mean: means.length ? mv.mean(means) : null, wall_s: seconds.length ? mv.mean(seconds) : null,
      picked: rows.some(function (i) { return values.label_picked[i]; }),
    };
  }

  /* Rows -> whether no other is at least as fast and as good, and better in one; what labels picked is on no front. */
  mv.onFront = function (rows, higher) {
    const fair = rows.filter(function (one) { return !one.picked; });
    return rows.map(function (one) {
      return !one.picked && !fair.some(function (other) {
        const better = higher ? other.mean - one.mean : one.mean - other.mean;
        return other.wall_s <= one.wall_s && better >= 0 && (other.wall_s < one.wall_s || better > 0);
      });
    });
  };
})((window.mvarena = window.mvarena || {}));
