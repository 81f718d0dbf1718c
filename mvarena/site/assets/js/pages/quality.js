/* What is missing, failed, collapsed or no better than a control: computed by mvarena.report, shown here. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.quality = function (main, choices) {
    return mv.need("quality").then(function (data) {
      const quality = data[0];
      const labels = mv.get("labels");
      const metric = mv.metricNamed(choices.metric);
      const bar = mv.el("form", { class: "filters", "aria-label": "What is shown" }, mv.select("Metric",
        labels.metrics.map(function (one) { return [one.name, one.label]; }), metric.name,
        function (value) { mv.choose(Object.assign({}, choices, { metric: value })); }));
      main.append(mv.el("h1", {}, "Quality of the results"), bar);
      if (labels.preparations.length > 1) main.append(mv.note("Of the results under scaling, filling: " + labels.preparations[0] + "; failures and code of all."));
      const found = quality.findings[metric.name] || [];
      main.append(found.length ? mv.el("ul", { class: "told" }, found.map(function (one) {
        return mv.el("li", {}, mv.el("span", { class: "severity " + one.severity }, one.severity), " ", one.text);
      })) : mv.note("Nothing stands out."));
      (quality.tables[metric.name] || []).forEach(function (table) { main.append(plain(table, metric), mv.note(table.setting)); });
      main.append(mv.el("h2", {}, "Trials that did not finish"));
      main.append(quality.endings.length ? mv.table([
        { head: "Method", value: function (row) { return row.method; }, show: function (row) { return mv.link("method", row.method, row.method); } },
        { head: "Data set", value: function (row) { return row.data; } },
        { head: "Ended", value: function (row) { return mv.status(row.status); } },
        { head: "Trials", numeric: true, first: "down", value: function (row) { return row.trials; } },
        { head: "Reason of the first", value: function (row) { return row.reason; }, show: function (row) { return mv.el("span", { class: "message" }, mv.name(row.reason)); } },
      ], quality.endings, { name: "unfinished", caption: "By method, data set and ending", sort: [3, "down"],
        search: function (row) { return row.method + " " + row.data + " " + mv.status(row.status) + " " + row.reason; } })
        : mv.note("All " + mv.count(labels.n_trials, "trial") + " finished."));
    });
  };

  function plain(table, metric) {
    return mv.table([
      { head: table.head.charAt(0).toUpperCase() + table.head.slice(1), value: function (row) { return row.name; }, show: function (row) { return mv.name(row.name); } },
    ].concat(table.columns.map(function (head, c) {
      const numeric = table.rows.some(function (row) { return row.numbers[c] !== null; });
      return { head: head, numeric: numeric, first: numeric ? "down" : "up",
        value: function (row) { return numeric ? row.numbers[c] : row.texts[c]; }, show: function (row) { return row.texts[c]; } };
    })), table.rows, { name: "quality " + table.head + " " + metric.name, caption: table.title, search: function (row) { return row.name; } });
  }
})((window.mvarena = window.mvarena || {}));
