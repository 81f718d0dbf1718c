/* Ranks, means and counts of the methods that are shown. What may be claimed is computed in Python (boards-*.js). */
(function (mv) {
  "use strict";

  /* The standings of the rows `chosen` of the points, as mvarena.analysis.standings has them; empty: nothing to
     compare. Under each condition a method has its mean over the repeats that all compared have; who did not finish one
     of these has no score there and is ranked last. */
  mv.standings = function (points, chosen, higher) {
    const cells = cellsOf(points, chosen.filter((i) => points.competes[i]));
    const kept = allKnown(cells.known);
    const leftOut = reasons(cells, kept);
    if (kept.columns.length < 2 || !kept.rows.length) return { empty: true, leftOut: leftOut };
    return assembled(points, cells, kept, higher, leftOut);
  };

  /* The table of conditions by methods: the row of the points of each cell, and whether anything is known of it. */
  function cellsOf(points, chosen) {
    const columns = Array.from(new Set(chosen.map((i) => points.contestant[i]))).sort((a, b) => a - b);
    const column = new Map(columns.map((one, c) => [one, c]));
    const rows = Array.from(mv.grouped(chosen, (i) => points.dataset[i] + " " + points.condition[i]).values());
    rows.sort((a, b) => points.dataset[a[0]] - points.dataset[b[0]] || points.condition[a[0]] - points.condition[b[0]]);
    const at = rows.map((row) => {
      const own = new Array(columns.length).fill(-1);
      row.forEach((i) => { own[column.get(points.contestant[i])] = i; });
      return own;
    });
    const known = at.map((row) => {
      const answered = row.some((i) => i >= 0 && points.paired[i] !== null);
      return row.map((i) => answered && i >= 0 && points.n_paired[i] > 0 && points.unscored[i] === 0);
    });
    return { conditions: rows.map((row) => row[0]), contestants: columns, at: at, known: known };
  }

  /* The part of a table that is true everywhere: the emptiest row or column goes at a time, two columns stay. */
  function allKnown(known) {
    let rows = known.map((_, r) => r);
    let columns = (known[0] || []).map((_, c) => c);
    const inRow = known.map((row) => row.filter((one) => !one).length);
    const inColumn = columns.map((c) => known.filter((row) => !row[c]).length);
    const largest = (places, counts) => places.reduce((best, one) => counts[one] > counts[best] ? one : best);
    while (rows.length && columns.length && rows.some((r) => inRow[r] > 0)) {
      const row = largest(rows, inRow);
      const column = largest(columns, inColumn);
      if (columns.length === 2 || inRow[row] * rows.length >= inColumn[column] * columns.length) {
        rows = rows.filter((r) => r !== row);
        columns.forEach((c) => { inColumn[c] -= known[row][c] ? 0 : 1; });
      } else {
        columns = columns.filter((c) => c !== column);
        rows.forEach((r) => { inRow[r] -= known[r][column] ? 0 : 1; });
      }
    }
    return { rows: rows, columns: columns };
  }

  /* What is not among the standings: {contestant or row of the points, missing, of}. */
  function reasons(cells, kept) {
    const methods = cells.contestants.map((name, c) => ({ contestant: name, c: c, of: cells.known.length,
      missing: cells.known.filter((row) => !row[c]).length }));
    const conditions = cells.conditions.map((point, r) => ({ point: point, r: r, of: cells.contestants.length,
      missing: cells.known[r].filter((known) => !known).length }));
    return methods.filter((one) => !kept.columns.includes(one.c))
      .concat(conditions.filter((one) => !kept.rows.includes(one.r)));
  }

  function assembled(points, cells, kept, higher, leftOut) {
    const datasets = mv.get("labels").datasets;
    const conditions = kept.rows.map((r) => ({
      dataset: points.dataset[cells.conditions[r]], corpus: datasets[points.dataset[cells.conditions[r]]].corpus,
      at: kept.columns.map((c) => cells.at[r][c]),
    }));
    const corpora = Array.from(new Set(conditions.map((one) => one.corpus))).sort();
    const within = conditions.map((one) => mv.tiedRanks(one.at.map((i) => {
      return points.paired[i] === null ? Infinity : higher ? -points.paired[i] : points.paired[i];
    })));
    const columns = kept.columns.map((c) => cells.contestants[c]);
    const ranks = overCorpora(conditions, corpora, (one, r, c) => within[r][c], columns.length).map(mv.tiedRanks);
    const meanRanks = columns.map((_, c) => mv.mean(ranks.map((row) => row[c])));
    const values = overCorpora(conditions, corpora, (one, r, c) => points.paired[one.at[c]], columns.length);
    const order = columns.map((_, c) => c).sort((a, b) => (mv.tied(meanRanks[a], meanRanks[b]) ? 0
      : meanRanks[a] - meanRanks[b]) || columns[a] - columns[b]);
    const pick = (row) => order.map((c) => row[c]);
    const done = conditions.map((one) => one.at.map((i) => points.paired[i] !== null));
    return {
      contestants: pick(columns), corpora: corpora, datasets: new Set(conditions.map((one) => one.dataset)).size,
      conditions: conditions.map((one) => Object.assign({}, one, { at: pick(one.at) })), leftOut: leftOut,
      meanRanks: pick(meanRanks), ranks: ranks.map(pick), values: values.map(pick), higher: higher,
      finished: pick(columns.map((_, c) => done.filter((row) => row[c]).length)),
      means: pick(columns.map((_, c) => mv.mean(values.map((row) => row[c]).filter((value) => value !== null)))),
    };
  }

  /* Corpora x methods: means over the conditions of each data set, then over the data sets; null where there is no
     number. */
  function overCorpora(conditions, corpora, valueOf, k) {
    const rows = conditions.map((one, r) => ({ one: one, r: r }));
    return corpora.map((corpus) => {
      const ofDatasets = Array.from(mv.grouped(rows.filter((row) => row.one.corpus === corpus),
        (row) => row.one.dataset).values());
      return Array.from({ length: k }, (_, c) => {
        const means = ofDatasets.map((own) => {
          return mv.mean(own.map((row) => valueOf(row.one, row.r, c)).filter((value) => value !== null));
        }).filter((value) => !Number.isNaN(value));
        return means.length ? mv.mean(means) : null;
      });
    });
  }

  /* By how much one method of the standings is better than another where both have a number: corpus -> gain; by places.
     */
  mv.gains = function (points, table, first, second) {
    const both = table.conditions.filter((one) => points.paired[one.at[first]] !== null &&
      points.paired[one.at[second]] !== null);
    const gain = (one) => (table.higher ? 1 : -1) * (points.paired[one.at[first]] - points.paired[one.at[second]]);
    const found = overCorpora(both, table.corpora, gain, 1).map((row) => row[0]);
    return new Map(table.corpora.map((corpus, r) => [corpus, found[r]]).filter((pair) => pair[1] !== null));
  };

  /* "12 data sets", or "9 corpora (12 data sets)" where some are of one corpus. */
  mv.over = function (table) {
    const sets = mv.count(table.datasets, "data set");
    return table.datasets === table.corpora.length ? sets : mv.count(table.corpora.length, "corpus", "corpora") + " (" +
      sets + ")";
  };
})((window.mvarena = window.mvarena || {}));
