/* All data sets, and the page of each: what is known of it, what its views miss, every result on it. */
(function (mv) {
  "use strict";
  const KINDS = ["family", "condition"];
  mv.pages = mv.pages || {};

  mv.pages.datasets = function (main, choices) {
    return Promise.all([mv.need("cards"), mv.needPoints(choices.metric)]).then(([[cards], [points]]) => {
      const metric = mv.metricNamed(choices.metric);
      const shown = mv.chosenRows(points, choices, ["condition"]);
      const rows = mv.get("labels").datasets.map((dataset, d) => ({ dataset: dataset,
        card: cards.datasets[dataset.name] || {},
        found: bestOf(points, mv.methodsOnly(points, shown).filter((i) => points.dataset[i] === d),
          metric) })).filter((row) => ["kind", "size"].every((kind) => !choices[kind] ||
          row.dataset[kind] === choices[kind]));
      main.append(mv.el("h1", {}, "Data sets in these results"), mv.filterBar(points, choices,
        mv.QUESTION), mv.table([
        { head: "Data set", value: (row) => row.dataset.label, show: (row) => mv.link("dataset", row.dataset.name,
          row.dataset.label) },
        { head: "Kind", value: (row) => row.dataset.kind },
        { head: "Corpus", title: "Source of the data: data sets of one corpus count once",
          value: (row) => row.dataset.corpus },
        { head: "Samples", numeric: true, first: "down", value: (row) => row.dataset.samples },
        { head: "Classes", numeric: true, value: (row) => row.card.clusters },
        { head: "Views", numeric: true, value: (row) => (row.card.views || []).length || null },
        { head: "Above baseline",
          title: "Methods above the better trivial baseline (one cluster, random labels) under each condition",
          numeric: true, first: "down",
          value: (row) => row.found.above, text: (row) => row.found.of ? row.found.above + " of " + row.found.of : "" },
        mv.scoreColumn(metric, { head: "Best " + metric.axis, saved: "best " + metric.name,
          title: "Of one method under one condition, not picked by labels", value: (row) => row.found.mean,
          text: (row) => row.found.mean === null ? "" : mv.shown(row.found.mean, metric) }),
        { head: "By", value: (row) => row.found.contestant && row.found.contestant.label,
          show: (row) => row.found.contestant && mv.link("method", row.found.contestant.algorithm,
          row.found.contestant.label) },
      ], rows, { name: "data sets", caption: mv.question(choices), search: (row) => row.dataset.label + " " +
        row.dataset.corpus + " " + row.dataset.kind }));
    });
  };

  function bestOf(points, rows, metric) {
    const fair = rows.filter((i) => points.mean[i] !== null && !points.label_picked[i]);
    const best = fair.reduce((one, i) => one === null || (metric.higher ? points.mean[i] > points.mean[one]
      : points.mean[i] < points.mean[one]) ? i : one, null);
    return Object.assign(mv.separated(points, rows), best === null ? { mean: null }
      : { mean: points.mean[best], contestant: mv.get("labels").contestants[points.contestant[best]] });
  }

  mv.pages.dataset = function (main, choices, name) {
    return Promise.all([mv.need("cards"), mv.needPoints(choices.metric)]).then(([[cards], [points]]) => {
      const labels = mv.get("labels");
      const place = labels.datasets.findIndex((one) => one.name === name);
      if (place < 0) return mv.unknown(main, "data set", name, "datasets");
      const dataset = labels.datasets[place];
      const metric = mv.metricNamed(choices.metric);
      const card = cards.datasets[name] || {};
      const rows = mv.chosenRows(points, choices, KINDS).filter((i) => points.dataset[i] === place);
      main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/datasets" }, "Data sets")),
        mv.el("h1", {}, mv.name(dataset.label)),
        card.summary || card.title ? mv.el("p", { class: "lead" }, mv.name(card.summary || card.title)) : "",
        mv.facts([["Kind", dataset.kind], ["Corpus", dataset.corpus], ["Samples", dataset.samples &&
          dataset.samples.toLocaleString("en")], ["Classes", classes(card)],
          ["Views", mv.listed(card.views || [])], ["ACC of a single cluster (baseline)", percent(card.one_cluster)],
          ["Source", card.source && mv.name(card.source)], ["Terms", card.terms && mv.name(card.terms)]]),
        (card.traps || []).length ? mv.more("Caveats: " + card.traps.length,
          mv.el("ul", {}, card.traps.map((one) => mv.el("li", {}, mv.name(one))))) : "",
        card.citation ? mv.more("Citation", mv.code(card.citation)) : "",
        mv.filterBar(points, choices, KINDS));
      if (!rows.length) main.append(mv.note("No result fits these choices."));
      else main.append(spread(points, rows, metric, dataset, card.baseline),
        byRate(points, rows, metric, dataset.label));
      main.append(mv.pointTable(points, rows, metric, { name: name + " " + metric.name, method: true }),
        missingTable(dataset.label, card.missing || []) || "");
      main.append(mv.el("p", {}, mv.el("a", { href: "#/trials?data=" + encodeURIComponent(name) },
        "Every trial on these data")));
      return undefined;
    });
  };

  /* "7, of 100 to 200 samples" */
  function classes(card) {
    const counts = card.class_counts || [];
    return !counts.length ? card.clusters : card.clusters + ", of " + Math.min(...counts).toLocaleString("en") +
      " to " + mv.count(Math.max(...counts), "sample");
  }

  const percent = (share) => share === null || share === undefined ? null : (100 * share).toFixed(1) + " %";

  /* Each method's score under each condition as a dot, with the better control as a line. */
  function spread(points, rows, metric, dataset, control) {
    const unit = metric.percent ? 100 : 1;
    const fair = mv.methodsOnly(points, rows).filter((i) => points.mean[i] !== null && !points.label_picked[i]);
    if (!fair.length) return mv.note("No method has a score under these choices.");
    const groups = Array.from(mv.grouped(fair.sort((a, b) => points.condition[a] - points.condition[b]),
      (i) => mv.condition(points.condition[i])), ([name, own]) =>
      [name, own.map((i) => ({ value: points.mean[i] * unit, raw: points.mean[i],
        contestant: mv.get("labels").contestants[points.contestant[i]] }))]);
    const line = control ? control[metric.name] : null;
    const found = mv.separated(points, fair);
    return mv.figure({
      title: metric.label + " of all methods on " + dataset.label, name: "spread " + dataset.label + " " + metric.name,
      caption: "One dot for each method, coloured by family" + (line === null || line === undefined ? "."
        : "; the line is the better trivial baseline. " + found.above + " of " + mv.count(found.of, "method") +
        (found.above === 1 ? " is" : " are") + " above it under each condition."),
      draw: (theme) => mv.dots(groups, line === null || line === undefined ? null : line * unit, theme, metric.axis),
      rows: () => [["condition", "method", metric.name]].concat(groups.flatMap(([name, own]) => own.map((one) => [name,
        one.contestant.label, one.raw]))),
    });
  }

  /* Means by rate, a figure for each corruption with several rates. */
  function byRate(points, rows, metric, label) {
    const labels = mv.get("labels");
    const known = mv.methodsOnly(points, rows).filter((i) => points.mean[i] !== null &&
      labels.conditions[points.condition[i]].corruption !== "none");
    return mv.el("div", {}, Array.from(mv.grouped(known, (i) => labels.conditions[points.condition[i]].corruption),
      ([corruption, own]) => {
      if (new Set(own.map((i) => points.condition[i])).size < 2) return null;
      const rate = (i) => labels.conditions[points.condition[i]].rate;
      const unit = metric.percent ? 100 : 1;
      const lines = Array.from(mv.grouped(own, (i) => points.contestant[i]), ([one, part]) => ({
        label: labels.contestants[one].label + (part.some((i) => points.label_picked[i]) ? " *" : ""),
        contestant: labels.contestants[one],
        points: part.map((i) => [rate(i), unit * points.mean[i], points.mean[i]]).sort((a, b) => a[0] - b[0]),
      }));
      const axis = labels.conditions[points.condition[own[0]]].axis;
      return mv.figure({
        title: metric.label + " by " + axis + " on " + label, name: metric.name + " by rate " + corruption + " " +
          label, caption: "Means of the trials that finished. * uses labels.",
        draw: (theme) => mv.lines(lines, theme, { x: axis, y: metric.axis }),
        rows: () => [["method", "rate",
          metric.name]].concat(lines.flatMap((line) => line.points.map((point) => [line.label, point[0], point[2]]))),
      });
    }));
  }

  /* Views by conditions: what share of the samples each view misses, and how many miss some view, in percent. */
  function missingTable(label, missing) {
    const removed = missing.filter((one) => one.incomplete > 0);
    if (!removed.length) return null;
    const share = (one, view) => view === "any view" ? one.incomplete : one.missing[one.views.indexOf(view)];
    const views = Array.from(new Set(removed.flatMap((one) => one.views))).concat("any view");
    return mv.table([{ head: "View", value: (view) => view }].concat(removed.map((one) => ({
      head: mv.condition(one.condition), numeric: true, first: "down", value: (view) => share(one, view),
      text: (view) => one.views.includes(view) || view === "any view" ? (100 * share(one, view)).toFixed(1) : "" }))),
    views, { name: "missing " + label, caption: "Samples missing from each view, in percent: means over the masks, " +
      "which are the same for every method; last row: samples that some view misses" });
  }
})((window.mvarena = window.mvarena || {}));
