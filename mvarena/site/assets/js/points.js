/* Points, that is a method on a data set under a condition: as tables, and what became of each. */
(function (mv) {
  "use strict";

  /* A point's mean as tables have it, or the word for what became of it. */
  function meanShown(points, i, metric) {
    const reason = mv.text(points.reason, i) || null;
    if (points.mean[i] === null) return mv.el("span", { class: "bad", title: reason },
      mv.status(mv.text(points.status, i)));
    return [mv.shown(points.mean[i], metric), isBelow(points, i) ? mv.below() : null,
      points.std[i] === null ? null : mv.el("small", {}, " ± " + mv.shown(points.std[i], metric)),
      points.n_trials[i] < points.n_stored[i] ? mv.el("small", { class: "bad", title: reason }, " (" +
        points.n_trials[i] + "/" + points.n_stored[i] + ")") : null,
      points.label_picked[i] ? mv.el("span", { class: "picked", title: "picked by labels " +
        mv.text(points.choice, i) }, " *") : null];
  }

  function isBelow(points, i) {
    return !points.above[i] && !mv.get("labels").contestants[points.contestant[i]].control;
  }

  /* Points as a table; options.method, data: which of the two is a column, both or one; reasons: why trials did not
     finish is one, too. */
  mv.pointTable = function (points, rows, metric, options) {
    const labels = mv.get("labels");
    const contestant = (i) => labels.contestants[points.contestant[i]];
    const dataset = (i) => labels.datasets[points.dataset[i]];
    const several = (valueOf) => new Set(rows.map(valueOf)).size > 1;
    const columns = [];
    rows.sort((a, b) => points.condition[a] - points.condition[b]);
    if (options.data) columns.push({ head: "Data set", value: (i) => dataset(i).label,
      show: (i) => mv.link("dataset", dataset(i).name, dataset(i).label) });
    if (options.method || several((i) => contestant(i).name)) columns.push({ head: "Method",
      value: (i) => contestant(i).label, show: (i) => mv.link("method", contestant(i).algorithm,
      contestant(i).label) });
    const score = columns.length + 1;
    columns.push(
      { head: "Condition", value: (i) => mv.condition(points.condition[i]),
        show: (i) => mv.el("span", { class: "whole" }, mv.condition(points.condition[i])) },
      mv.scoreColumn(metric, { after: (i) => !points.competes[i], value: (i) => points.mean[i],
        text: (i) => mv.el("span", {}, meanShown(points, i, metric)).textContent,
        show: (i) => meanShown(points, i, metric) }),
      { head: "Std", savedOnly: true, value: (i) => points.std[i] },
      { head: "By labels", savedOnly: true, value: (i) => points.label_picked[i] ? "* " +
        (mv.text(points.choice, i) || "best restart") : "" },
      { head: "Trials", numeric: true, value: (i) => points.n_stored[i] },
      { head: "Unfinished", numeric: true, first: "down", value: (i) => points.failed[i] + points.skipped[i],
        show: (i) => points.failed[i] + points.skipped[i] ? mv.el("span",
          { class: "bad", title: mv.text(points.reason, i) }, points.failed[i] + points.skipped[i]) : "0" },
      { head: "CPU s", title: "Mean of the trials that finished", numeric: true, value: (i) => points.seconds[i],
        text: (i) => mv.seconds(points.seconds[i]) },
      { head: "MiB", title: "Peak memory", numeric: true, value: (i) => points.peak_rss_mb[i],
        text: (i) => mv.megabytes(points.peak_rss_mb[i]) },
      { head: "Prepared by", savedOnly: !several((i) => mv.text(points.prepare, i)),
        value: (i) => mv.text(points.prepare, i) || "nothing",
        show: (i) => mv.el("span", { class: "roomy" }, mv.text(points.prepare, i) || "nothing") });
    if (options.reasons) columns.push({ head: "Reason", value: (i) => mv.text(points.reason, i),
      show: (i) => mv.el("span", { class: "message" }, mv.name(mv.text(points.reason, i))) });
    const marks = ["mean ± standard deviation", "(a/b): a of b trials finished",
      "‡ not significantly above the better trivial baseline", "* uses labels"];
    return mv.table(columns, rows, { name: options.name, caption: metric.label + ": " + marks.join("; "),
      sort: options.data ? [0, "up"] : [score, columns[score].first] });
  };

  /* Of these rows: how many methods are above the better control under each of their conditions, of those with values.
     */
  mv.separated = function (points, rows) {
    const methods = Array.from(mv.grouped(rows.filter((i) => points.mean[i] !== null),
      (i) => points.contestant[i]).values());
    return { above: methods.filter((own) => own.every((i) => points.above[i])).length, of: methods.length };
  };

  mv.methodsOnly = (points, rows) => rows.filter((i) => !mv.get("labels").contestants[points.contestant[i]].control);
})((window.mvarena = window.mvarena || {}));
