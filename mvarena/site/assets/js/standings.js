/* Contestants on corpora as two matrices, of values and of ranks: mvarena.analysis.standings, in the page. */
(function (mv) {
  "use strict";
  const SEPARATING = 0.1; // of the contestants, above the better control: fewer are so by chance

  /* The standings of the rows `chosen` of a table of points; null where nothing can be compared.
     unfinished: "last" ranks who did not finish last, "left-out" takes the mean of what finished. */
  mv.standings = function (points, chosen, higher, unfinished) {
    const contestants = mv.get("labels").contestants;
    const fair = chosen.filter(function (i) { return !points.label_picked[i] && !contestants[points.contestant[i]].control; });
    const cells = cellsOf(points, fair, unfinished);
    const kept = allKnown(cells.known, cells.conditions.length, cells.contestants.length);
    const rows = kept.rows.map(function (r) { return cells.conditions[r]; });
    const columns = kept.columns.map(function (c) { return cells.contestants[c]; });
    const leftOut = reasons(cells, kept);
    if (columns.length < 2 || !rows.length) return { empty: true, leftOut: leftOut };
    const values = kept.rows.map(function (r) {
      return kept.columns.map(function (c) { return cells.values[r][c]; });
    });
    const table = assembled(rows, columns, values, higher, leftOut);
    table.separating = separating(rows, kept, cells);
    return table;
  };

  /* On how many corpora a tenth of the contestants or more are above the better control under some condition. */
  function separating(conditions, kept, cells) {
    const named = mv.get("labels").datasets;
    const above = new Map();
    kept.rows.forEach(function (r, place) {
      const corpus = named[conditions[place].dataset].corpus;
      if (!above.has(corpus)) above.set(corpus, new Set());
      kept.columns.forEach(function (c) { if (cells.above[r][c]) above.get(corpus).add(c); });
    });
    return Array.from(above.values()).filter(function (one) { return one.size >= SEPARATING * kept.columns.length; }).length;
  }

  function cellsOf(points, chosen, unfinished) {
    const places = new Map();
    const names = Array.from(new Set(chosen.map(function (i) { return points.contestant[i]; }))).sort(ascending);
    const column = new Map(names.map(function (name, c) { return [name, c]; }));
    chosen.forEach(function (i) {
      const key = points.dataset[i] + " " + points.corruption[i] + " " + points.rate[i];
      if (!places.has(key)) {
        places.set(key, { dataset: points.dataset[i], corruption: points.corruption[i], rate: points.rate[i] });
      }
    });
    const conditions = Array.from(places.values()).sort(function (a, b) {
      return a.dataset - b.dataset || a.corruption - b.corruption || a.rate - b.rate;
    });
    conditions.forEach(function (one, r) { places.set(one.dataset + " " + one.corruption + " " + one.rate, r); });
    const values = conditions.map(function () { return new Array(names.length).fill(NaN); });
    const known = conditions.map(function () { return new Array(names.length).fill(false); });
    const above = conditions.map(function () { return new Array(names.length).fill(false); });
    const unscored = new Set();
    chosen.forEach(function (i) {
      const r = places.get(points.dataset[i] + " " + points.corruption[i] + " " + points.rate[i]);
      const c = column.get(points.contestant[i]);
      const finite = points.mean[i] !== null && Number.isFinite(points.mean[i]);
      const whole = points.failed[i] + points.skipped[i] + points.n_nan[i] === 0 && finite;
      if (unfinished === "left-out" ? finite : whole) values[r][c] = points.mean[i];
      known[r][c] = unfinished === "left-out" ? finite : points.unscored[i] === 0;
      above[r][c] = finite && Boolean(points.above[i]);
      if (points.unscored[i]) unscored.add(points.contestant[i]);
    });
    values.forEach(function (row, r) {
      if (!row.some(function (value) { return !Number.isNaN(value); })) known[r].fill(false);
    });
    return { conditions: conditions, contestants: names, values: values, known: known, above: above, unscored: unscored };
  }

  /* The part of a table that is true everywhere: the emptiest row or column goes at a time, two columns stay. */
  function allKnown(known, n, k) {
    let rows = known.map(function (_, r) { return r; });
    let columns = Array.from({ length: k }, function (_, c) { return c; });
    const inRow = known.map(function (row) { return row.filter(function (one) { return !one; }).length; });
    const inColumn = columns.map(function (c) { return known.filter(function (row) { return !row[c]; }).length; });
    while (rows.length && columns.length && rows.some(function (r) { return inRow[r] > 0; })) {
      const row = largest(rows, inRow);
      const column = largest(columns, inColumn);
      if (columns.length === 2 || inRow[row] * rows.length >= inColumn[column] * columns.length) {
        rows = rows.filter(function (r) { return r !== row; });
        columns.forEach(function (c) { inColumn[c] -= known[row][c] ? 0 : 1; });
      } else {
        columns = columns.filter(function (c) { return c !== column; });
        rows.forEach(function (r) { inRow[r] -= known[r][column] ? 0 : 1; });
      }
    }
    return { rows: rows, columns: columns };
  }

  function largest(places, counts) {
    return places.reduce(function (best, one) { return counts[one] > counts[best] ? one : best; });
  }

  function reasons(cells, kept) {
    const methods = cells.contestants.map(function (name, c) { return { contestant: name, c: c }; });
    const gone = methods.filter(function (one) { return kept.columns.indexOf(one.c) < 0; }).map(function (one) {
      const missing = cells.known.filter(function (row) { return !row[one.c]; }).length;
      return {
        contestant: one.contestant, missing: missing, of: cells.conditions.length,
        unscored: cells.unscored.has(one.contestant),
      };
    });
    const conditions = cells.conditions.map(function (one, r) { return { condition: one, r: r }; });
    return gone.concat(conditions.filter(function (one) { return kept.rows.indexOf(one.r) < 0; }).map(function (one) {
      const missing = cells.known[one.r].filter(function (known) { return !known; }).length;
      return { condition: one.condition, missing: missing, of: cells.contestants.length };
    }));
  }

  function assembled(conditions, contestants, values, higher, leftOut) {
    const within = values.map(function (row) {
      return mv.rankdata(row.map(function (value) {
        return Number.isNaN(value) ? Infinity : higher ? -value : value;
      }));
    });
    const filled = values.map(function (row) {
      const there = row.filter(function (value) { return !Number.isNaN(value); });
      const worst = there.reduce(function (a, b) { return higher ? Math.min(a, b) : Math.max(a, b); });
      const behind = worst + (higher ? -1 : 1) * 1e-9 * (1 + Math.abs(worst));
      return row.map(function (value) { return Number.isNaN(value) ? behind : value; });
    });
    const datasets = Array.from(new Set(conditions.map(function (one) { return one.dataset; })));
    const named = mv.get("labels").datasets;
    const corpora = Array.from(new Set(datasets.map(function (one) { return named[one].corpus; }))).sort();
    const ofCorpora = function (rows) {
      return meansByCorpus(meansByDataset(rows, conditions, datasets), datasets, corpora, named);
    };
    const means = ofCorpora(filled);
    const ranks = ofCorpora(within).map(function (row) {
      return mv.rankdata(row.map(mv.round12));
    });
    const meanRanks = contestants.map(function (_, c) { return mv.mean(ranks.map(function (row) { return row[c]; })); });
    const order = contestants.map(function (_, c) { return c; }).sort(function (a, b) {
      return mv.round12(meanRanks[a]) - mv.round12(meanRanks[b]) || contestants[a] - contestants[b];
    });
    const pick = function (row) { return order.map(function (c) { return row[c]; }); };
    return {
      higher: higher,
      contestants: pick(contestants),
      meanRanks: pick(meanRanks),
      datasets: datasets,
      corpora: corpora,
      over: over(datasets.length, corpora.length),
      conditions: conditions,
      values: means.map(pick),
      ranks: ranks.map(pick),
      unfinished: order.map(function (c) {
        return values.filter(function (row) { return Number.isNaN(row[c]); }).length;
      }),
      leftOut: leftOut,
    };
  }

  function meansByDataset(rows, conditions, datasets) {
    return datasets.map(function (dataset) {
      const own = rows.filter(function (_, r) { return conditions[r].dataset === dataset; });
      return own[0].map(function (_, c) { return mv.mean(own.map(function (row) { return row[c]; })); });
    });
  }

  function meansByCorpus(rows, datasets, corpora, named) {
    return corpora.map(function (corpus) {
      const own = rows.filter(function (_, d) { return named[datasets[d]].corpus === corpus; });
      return own[0].map(function (_, c) { return mv.mean(own.map(function (row) { return row[c]; })); });
    });
  }

  /* "12 data sets", or "9 corpora (12 data sets)" where some are of one corpus. */
  function over(nDatasets, nCorpora) {
    const sets = nDatasets + " data set" + (nDatasets === 1 ? "" : "s");
    return nDatasets === nCorpora ? sets : (nCorpora === 1 ? "1 corpus" : nCorpora + " corpora") + " (" + sets + ")";
  }

  function ascending(a, b) {
    return a - b;
  }
})((window.mvarena = window.mvarena || {}));
