/* Every trial, also those that did not finish. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.trials = function (main, choices) {
    return mv.need("trials", "values-" + mv.metricIndex(choices.metric)).then(([trials, values]) => {
      const labels = mv.get("labels");
      const { algorithm, status } = choices;
      const rows = mv.chosenRows(trials, choices, mv.KINDS).filter((i) =>
        (!algorithm || labels.contestants[trials.contestant[i]].algorithm === algorithm) &&
          (!status || mv.text(trials.status, i) === status));
      const ended = [["", "in any way"]].concat(trials.status.values.slice().sort().map((one) => [one,
        mv.status(one)]));
      main.append(mv.el("h1", {}, "Trials"), mv.filterBar(trials, choices, mv.KINDS,
        [ended.length > 2 ? mv.select("Ended", ended, status, (value) => mv.choose({ status: value })) : null]));
      if (algorithm) main.append(mv.note("Trials of " + algorithm + ". ",
        mv.el("a", { href: "#/trials" }, "All trials")));
      main.append(table(trials, values, rows, mv.metricNamed(choices.metric)));
    });
  };

  function table(trials, values, rows, metric) {
    const labels = mv.get("labels");
    const contestant = (i) => labels.contestants[trials.contestant[i]].label;
    const dataset = (i) => labels.datasets[trials.dataset[i]].label;
    const status = (i) => mv.status(mv.text(trials.status, i)) + (trials.counts[i] ? "" : ", not counted");
    return mv.table([
      { head: "Trial", narrow: true, value: (i) => trials.key[i], text: (i) => trials.key[i].slice(0, 8),
        show: (i) => mv.el("code", {}, mv.link("trial", trials.key[i], trials.key[i].slice(0, 8))) },
      { head: "Method", value: contestant, show: (i) => mv.name(contestant(i)) },
      { head: "Data", value: dataset, show: (i) => mv.name(dataset(i)) },
      { head: "Condition", value: (i) => mv.condition(trials.condition[i]),
        show: (i) => mv.el("span", { class: "whole" }, mv.condition(trials.condition[i])) },
      { head: "Scaling", value: (i) => mv.text(trials.scaling, i) },
      { head: "Filling", value: (i) => mv.text(trials.filling, i) },
      { head: "Repeat", numeric: true, value: (i) => trials.repeat[i] },
      { head: "Ended", value: status, show: (i) => mv.el("span", { class: mv.text(trials.status, i) === "DONE" ? null
        : "bad", title: mv.text(trials.reason, i) || null }, status(i)) },
      mv.scoreColumn(metric, { value: (i) => values.value[i],
        text: (i) => mv.shown(values.value[i], metric) + (values.label_picked[i] ? " *" : "") }),
      { head: "CPU s", numeric: true, first: "down", value: (i) => trials.seconds[i],
        text: (i) => mv.seconds(trials.seconds[i]) },
      { head: "MiB", numeric: true, first: "down", value: (i) => trials.peak_rss_mb[i],
        text: (i) => mv.megabytes(trials.peak_rss_mb[i]) },
      { head: "Began", value: (i) => trials.started[i], text: (i) => mv.date(trials.started[i]).slice(0, 16),
        show: (i) => mv.el("span", { class: "whole" }, mv.date(trials.started[i]).slice(0, 16)) },
    ], rows, { name: "trials", caption: mv.count(rows.length, "trial") + "; * uses labels" });
  }
})((window.mvarena = window.mvarena || {}));
