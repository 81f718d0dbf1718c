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
      (quality.tables[metric.name] || []).forEach((table) => main.append(plain(table, metric), mv.note(table.setting),
        table.notes.length ? mv.more("Trials that did not finish", mv.el("ul", {},
          table.notes.map((note) => mv.el("li", {}, mv.name(note))))) : ""));
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
