/* What is missing, failed, collapsed or no better than a trivial baseline: computed by mvarena.report, shown here. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.quality = function (main, choices) {
    return mv.need("quality").then(([quality]) => {
      const metric = mv.metricNamed(choices.metric);
      const found = quality.findings[metric.name] || [];
      main.append(mv.el("h1", {}, "Quality of the results: " + metric.label + ", all conditions"),
        mv.filterBar(null, choices, []));
      main.append(found.length ? mv.el("ul", { class: "told" }, found.map((one) => mv.el("li", {},
        mv.el("span", { class: "severity " + one.severity }, one.severity), " ", one.text)))
        : mv.note("Nothing stands out."));
      main.append(mv.el("h2", {}, "Trials that did not finish"), quality.endings.length ? mv.table([
        { head: "Method", value: (row) => row.method, show: (row) => mv.link("method", row.method, row.method) },
        { head: "Ended", value: (row) => mv.status(row.status) },
        { head: "Trials", numeric: true, first: "down", value: (row) => row.trials },
        { head: "On", value: (row) => row.datasets.join(", "), text: (row) => row.datasets.length > 3
          ? mv.count(row.datasets.length, "data set") : row.datasets.join(", ") },
        { head: "Reason of the first", value: (row) => row.reason, show: (row) => mv.el("span", { class: "message" },
          mv.name(row.reason)) },
      ], quality.endings, { name: "unfinished", caption: "By method and reason", sort: [2, "down"],
        search: (row) => [row.method, row.datasets.join(" "), mv.status(row.status), row.reason].join(" ") })
        : mv.note("All " + mv.count(mv.get("labels").n_trials, "trial") + " finished."));
      (quality.tables[metric.name] || []).forEach((table) => main.append(plain(table, metric), mv.note(table.setting)));
      if (quality.runs.length) main.append(mv.more("Commands that asked for these results: " + quality.runs.length,
        mv.table([
        { head: "Command", value: (row) => row.command, show: (row) => mv.el("code", {}, row.command) },
        { head: "Began", value: (row) => row.began, show: (row) => mv.el("span", { class: "whole" }, row.began) },
        { head: "Trials", numeric: true, first: "down",
          title: "That it asked for; what was stored already was not run again", value: (row) => row.n },
        { head: "Ended", value: (row) => row.ended },
        { head: "mvarena", value: (row) => row.mvarena },
      ], quality.runs, { name: "commands", caption: "As typed, without passwords and the folders of files" })));
    });
  };

  function plain(table, metric) {
    return mv.table([
      { head: table.head.charAt(0).toUpperCase() + table.head.slice(1), value: (row) => row.name,
        show: (row) => mv.name(row.name) },
    ].concat(table.columns.map((head, c) => {
      const numeric = table.rows.some((row) => row.numbers[c] !== null);
      return { head: head, numeric: numeric, first: numeric ? "down" : "up", value: (row) => numeric ? row.numbers[c]
        : row.texts[c], text: (row) => row.texts[c] };
    })), table.rows, { name: "quality " + table.head + " " + metric.name, caption: table.title,
      search: (row) => row.name });
  }
})((window.mvarena = window.mvarena || {}));
