/* All data sets, and the page of each: its card, what its views miss, every result on it. */
(function (mv) {
  "use strict";
  const KINDS = ["family", "method", "condition", "protocol"];
  mv.pages = mv.pages || {};

  /* A point's mean as tables have it, or the word for what became of it. */
  mv.meanShown = function (points, i, metric) {
    const status = mv.text(points.status, i);
    if (points.mean[i] === null) {
      return mv.el("span", { class: "bad", title: mv.text(points.reason, i) || null }, mv.status(status));
    }
    const spread = points.std[i] === null ? null : mv.el("small", {}, " ± " + mv.shown(points.std[i], metric));
    const share = points.n_trials[i] < points.n_stored[i]
      ? mv.el("small", { class: "bad", title: mv.text(points.reason, i) || null }, " (" + points.n_trials[i] + "/" + points.n_stored[i] + ")") : null;
    const mark = points.label_picked[i]
      ? mv.el("span", { class: "picked", title: "picked by labels " + mv.text(points.choice, i) }, " *") : null;
    return [mv.shown(points.mean[i], metric), below(points, i), spread, share, mark];
  };

  /* The mark of a mean that is not above the better control. */
  function below(points, i) {
    if (points.above[i] || mv.get("labels").contestants[points.contestant[i]].control) return null;
    return mv.belowMark("not above the better control, " + mv.BELOW_MEANS);
  }

  mv.BELOW_MEANS = "one cluster for all, or random labels, by the 95 % interval of the difference";
  mv.belowMark = function (title) {
    return mv.el("span", { class: "below", title: title }, "‡");
  };

  mv.pages.datasets = function (main, choices) {
    return mv.need("cards", "points-" + mv.metricPlace(choices.metric)).then(function (data) {
      const labels = mv.get("labels");
      const metric = mv.scoredMetric(choices);
      const rows = labels.datasets.map(function (dataset, d) {
        return { dataset: dataset, card: data[0].datasets[dataset.name] || {}, found: bestOf(mv.scored(data[1], choices), choices, d, metric) };
      });
      main.append(mv.el("h1", {}, "Data sets"), mv.filterBar(data[1], choices, []), mv.table([
        { head: "Data set", value: function (row) { return row.dataset.label; }, show: function (row) { return mv.link("dataset", row.dataset.name, row.dataset.label); } },
        { head: "Corpus", value: function (row) { return row.dataset.corpus; } },
        { head: "Samples", numeric: true, first: "down", value: function (row) { return row.card.samples; } },
        { head: "Classes", numeric: true, value: function (row) { return row.card.clusters; } },
        { head: "Views", numeric: true, value: function (row) { return used(row.card).length || null; } },
        { head: "One cluster", title: "ACC of all samples in one cluster, the share of the largest class", numeric: true,
          value: function (row) { return row.card.one_cluster; }, show: function (row) { return percent(row.card.one_cluster); } },
        { head: "Methods", numeric: true, value: function (row) { return row.found.methods; } },
        { head: "Above control", title: "Methods above the better control under each condition: " + mv.BELOW_MEANS, numeric: true, first: "down",
          value: function (row) { return row.found.above; }, show: function (row) { return row.found.above === null ? null : row.found.above + " of " + row.found.valued; } },
        { head: "Best " + metric.axis, numeric: true, first: metric.higher ? "down" : "up", value: function (row) { return row.found.mean; },
          show: function (row) { return row.found.mean === null ? null : mv.shown(row.found.mean, metric); } },
        { head: "by", value: function (row) { return row.found.label; }, show: function (row) {
          return row.found.algorithm ? mv.link("method", row.found.algorithm, row.found.label) : null;
        } },
        { head: "Terms", value: function (row) { return row.card.terms; }, show: function (row) { return row.card.terms ? mv.el("span", { class: "roomy" }, mv.name(row.card.terms)) : null; } },
      ], rows, { name: "data sets", caption: "Data sets, with the best single result on each that was not chosen by labels",
        search: function (row) { return row.dataset.label + " " + row.dataset.corpus; } }));
    });
  };

  function percent(share) {
    return share === null || share === undefined ? null : (100 * share).toFixed(1);
  }

  function used(card) {
    return (card.views || []).filter(function (view) { return view.used; });
  }

  /* Of the chosen scaling and filling: the methods with results, how many are above the control, and the best mean. */
  function bestOf(points, choices, dataset, metric) {
    const labels = mv.get("labels");
    const rows = mv.chosenRows(points, choices, []).filter(function (i) {
      return points.dataset[i] === dataset && !labels.contestants[points.contestant[i]].control;
    });
    const methods = new Set(rows.map(function (i) { return points.contestant[i]; }));
    let best = { mean: null, label: "" };
    rows.forEach(function (i) {
      const mean = points.mean[i];
      if (mean === null || points.label_picked[i]) return;
      if (best.mean === null || (metric.higher ? mean > best.mean : mean < best.mean)) {
        const one = labels.contestants[points.contestant[i]];
        best = { mean: mean, label: one.label, algorithm: one.algorithm };
      }
    });
    return Object.assign(best, { methods: methods.size }, mv.separated(points, rows));
  }

  /* Of these rows: how many methods are above the better control under each of their conditions, of those with values;
     above is null where no control is known. */
  mv.separated = function (points, rows) {
    const above = new Map();
    const valued = rows.filter(function (i) { return points.mean[i] !== null; });
    valued.forEach(function (i) {
      const one = points.contestant[i];
      above.set(one, (above.has(one) ? above.get(one) : true) && Boolean(points.above[i]));
    });
    const known = valued.some(function (i) { return points.control[i] !== null; });
    return { above: known ? Array.from(above.values()).filter(Boolean).length : null, valued: above.size };
  };

  mv.pages.dataset = function (main, choices, name) {
    return mv.need("cards", "points-" + mv.metricPlace(choices.metric)).then(function (data) {
      const labels = mv.get("labels");
      const place = labels.datasets.findIndex(function (one) { return one.name === name; });
      if (place < 0) return mv.unknown(main, "data set", name, "datasets");
      const metric = mv.scoredMetric(choices);
      const card = data[0].datasets[name] || {};
      const points = mv.scored(data[1], choices);
      const rows = mv.chosenRows(points, choices, KINDS).filter(function (i) { return points.dataset[i] === place; });
      main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/datasets" }, "Data sets")),
        mv.el("h1", {}, mv.name(labels.datasets[place].label)), cardOf(card), pictures(card, labels.datasets[place].label));
      const missing = missingFigure(labels.datasets[place].label, card.missing || []);
      if (missing) main.append(mv.el("h2", {}, "Missing samples by view"), missing);
      main.append(mv.el("h2", {}, "Results"), mv.filterBar(points, choices, KINDS));
      if (!rows.length) {
        main.append(mv.note("No result fits these choices."));
        return undefined;
      }
      main.append(spread(points, rows, metric, labels.datasets[place].label));
      byRate(main, points, rows, metric, labels.datasets[place].label);
      main.append(mv.pointTable(points, rows, metric, { name: name + " " + metric.name, method: true }));
      main.append(mv.el("p", {}, mv.el("a", { href: "#/trials?data=" + encodeURIComponent(name) }, "Every trial on these data")));
      return undefined;
    });
  };

  function cardOf(card) {
    if (!card.installed) {
      return mv.el("div", {}, mv.note("These data have no description here: they are a user's own file, or their plugin is not installed."),
        mv.facts([["Samples", card.samples && card.samples.toLocaleString("en")], ["Classes", card.clusters], ["ACC of one cluster", percent(card.one_cluster)]]));
    }
    const views = used(card).map(function (view) { return view.name + (view.dimension ? " (" + view.dimension + ")" : ""); });
    return mv.el("div", {}, card.summary ? mv.el("p", { class: "lead" }, mv.name(card.summary)) : null,
      mv.facts([["Samples", card.samples && card.samples.toLocaleString("en")], ["Classes", card.clusters], ["ACC of one cluster", percent(card.one_cluster)], ["Views", mv.listed(views)],
        ["Source", card.source && mv.name(card.source)], ["Terms", card.generated ? "none: it is drawn at random" : card.terms && mv.name(card.terms)]]),
      (card.traps || []).length ? mv.el("details", { class: "more" }, mv.el("summary", {}, "Known pitfalls of these data"),
        mv.el("ul", {}, card.traps.map(function (one) { return mv.el("li", {}, mv.name(one)); }))) : null,
      card.citation ? mv.el("details", { class: "more" }, mv.el("summary", {}, "Citation"), mv.code(card.citation)) : null);
  }

  /* Sizes of views and of classes. */
  function pictures(card, label) {
    const views = used(card).filter(function (view) { return view.dimension; });
    const counts = (card.class_counts || []).slice().sort(function (a, b) { return b - a; });
    const made = [];
    if (views.length) {
      made.push(mv.figure({ title: "Features of each view", name: "views " + label,
        draw: function (theme) { return mv.bars(views.map(function (view) { return [view.name, view.dimension]; }), theme, "features"); },
        rows: function () { return [["view", "features"]].concat(views.map(function (view) { return [view.name, view.dimension]; })); } }));
    }
    if (counts.length) {
      const shown = counts.slice(0, 40);
      made.push(mv.figure({ title: "Samples of each class", name: "classes " + label,
        caption: "The largest first" + (shown.length < counts.length ? "; the first " + shown.length + " of " + counts.length : "") + ".",
        draw: function (theme) { return mv.bars(shown.map(function (count, i) { return [String(i + 1), count]; }), theme, "samples"); },
        rows: function () { return [["class", "samples"]].concat(counts.map(function (count, i) { return [i + 1, count]; })); } }));
    }
    return mv.el("div", { class: "pair" }, made);
  }

  /* Each method's score under each condition as a dot, with the better control as a line. */
  function spread(points, rows, metric, label) {
    const labels = mv.get("labels");
    const unit = metric.percent ? 100 : 1;
    const groups = new Map();
    rows.forEach(function (i) {
      if (points.mean[i] === null || labels.contestants[points.contestant[i]].control || points.label_picked[i]) return;
      const key = mv.condition(points.corruption[i], points.rate[i]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push({ value: points.mean[i] * unit, contestant: labels.contestants[points.contestant[i]] });
    });
    const first = rows.find(function (i) { return points.control[i] !== null; });
    const control = metric.label.indexOf("above control") >= 0 ? 0 : first === undefined ? null : points.control[first] * unit;
    return groups.size ? mv.figure({
      title: "Scores of all methods", name: "spread " + label,
      caption: "One dot for each method and condition, coloured by family" + (control === null ? "." : "; the line is the better control. " + separation(points, rows)),
      draw: function (theme) { return mv.dots(Array.from(groups), control, theme, metric.axis); },
      rows: function () {
        return [["condition", "method", metric.name]].concat([].concat.apply([], Array.from(groups, function (pair) {
          return pair[1].map(function (one) { return [pair[0], one.contestant.label, one.value / unit]; });
        })));
      },
    }) : mv.note("No method has a score under these choices.");
  }

  function separation(points, rows) {
    const contestants = mv.get("labels").contestants;
    const found = mv.separated(points, rows.filter(function (i) { return !contestants[points.contestant[i]].control; }));
    return found.above + " of " + mv.count(found.valued, "method") + (found.above === 1 ? " is" : " are") + " above it under each condition.";
  }

  /* Views by conditions: what share of the samples each view misses, and how many miss some view. */
  function missingFigure(label, missing) {
    const removed = missing.filter(function (one) {
      return one.incomplete > 0 || one.missing.some(function (share) { return share > 0; });
    });
    if (!removed.length) return null;
    const corruptions = mv.get("labels").corruptions;
    const views = Array.from(new Set([].concat.apply([], removed.map(function (one) { return one.views; }))));
    const columns = removed.map(function (one) {
      return mv.condition(corruptions.findIndex(function (c) { return c.name === one.corruption; }), one.rate);
    });
    const values = views.map(function (view) {
      return removed.map(function (one) {
        const share = one.missing[one.views.indexOf(view)];
        return share === undefined || share === null ? NaN : share;
      });
    }).concat([removed.map(function (one) { return one.incomplete; })]);
    const names = views.concat(["any view"]);
    const shown = values.map(function (row) { return row.map(function (one) { return Number.isFinite(one) ? (100 * one).toFixed(1) : mv.NONE; }); });
    return mv.figure({
      title: "Samples that a view misses, in percent", name: "missing " + label,
      caption: "Means over " + mv.count(Math.max.apply(null, removed.map(function (one) { return one.masks; })), "mask") +
        " at most; last row: samples that some view misses. Every method saw the same masks.",
      draw: function (theme) { return mv.shades(names, columns, values, shown, theme, { x: "condition", y: "view" }); },
      rows: function () { return [["view"].concat(columns)].concat(names.map(function (view, r) { return [view].concat(values[r]); })); },
    });
  }

  function byRate(main, points, rows, metric, label) {
    const labels = mv.get("labels");
    labels.corruptions.forEach(function (corruption, c) {
      const own = rows.filter(function (i) { return points.corruption[i] === c && points.mean[i] !== null; });
      const rates = new Set(own.map(function (i) { return points.rate[i]; }));
      if (rates.size < 2) return;
      const unit = metric.percent ? 100 : 1;
      const lines = new Map();
      own.forEach(function (i) {
        const one = points.contestant[i];
        if (!lines.has(one)) lines.set(one, []);
        lines.get(one).push([points.rate[i], points.mean[i] * unit]);
      });
      const drawn = Array.from(lines, function (pair) {
        const picked = own.some(function (i) { return points.contestant[i] === pair[0] && points.label_picked[i]; });
        const contestant = labels.contestants[pair[0]];
        return { label: contestant.label + (picked ? " *" : ""), contestant: contestant,
          points: pair[1].sort(function (a, b) { return a[0] - b[0]; }) };
      });
      main.append(mv.figure({
        title: metric.label + " by rate, " + corruption.label, name: metric.name + " by rate " + label,
        caption: "Means over repeats" + (corruption.means ? "; the rate is " + corruption.means : "") + ". * uses labels.",
        draw: function (theme) { return mv.lines(drawn, theme, { x: corruption.axis, y: metric.axis }); },
        rows: function () {
          return [["method", "rate", metric.name]].concat([].concat.apply([], drawn.map(function (line) {
            return line.points.map(function (point) { return [line.label, point[0], point[1]]; });
          })));
        },
      }));
    });
  }

  /* What tells one contestant of a method from another: 'mic (beta=0.1)' without the name that stands above its page. */
  function settings(contestant) {
    const label = contestant.label;
    const start = contestant.algorithm + " (";
    const own = label.indexOf(start) === 0 && label.slice(-1) === ")" ? label.slice(start.length, -1) : label;
    return mv.el("span", { class: own.length > 20 ? "roomy" : null }, mv.name(own));
  }

  /* Points as a table; options.method or options.data: which of the two is a column. */
  mv.pointTable = function (points, rows, metric, options) {
    const labels = mv.get("labels");
    const first = options.method
      ? { head: "Method", value: function (i) { return labels.contestants[points.contestant[i]].label; }, show: function (i) {
        const one = labels.contestants[points.contestant[i]];
        return mv.link("method", one.algorithm, one.label);
      } }
      : { head: "Data set", value: function (i) { return labels.datasets[points.dataset[i]].label; }, show: function (i) {
        const one = labels.datasets[points.dataset[i]];
        return mv.link("dataset", one.name, one.label);
      } };
    const second = { head: "As", value: function (i) { return labels.contestants[points.contestant[i]].label; }, show: function (i) {
      return settings(labels.contestants[points.contestant[i]]);
    } };
    const picked = rows.some(function (i) { return points.label_picked[i]; });
    return mv.table([first].concat(options.method ? [] : [second], [
      { head: "Condition", value: function (i) { return mv.condition(points.corruption[i], points.rate[i]); },
        show: function (i) { return mv.el("span", { class: "whole" }, mv.condition(points.corruption[i], points.rate[i])); } },
      { head: metric.axis, numeric: true, first: metric.higher ? "down" : "up", value: function (i) { return points.mean[i]; },
        show: function (i) { return mv.meanShown(points, i, metric); } },
      { head: "Std", savedOnly: true, value: function (i) { return points.std[i]; } },
      { head: "By labels", savedOnly: !picked, value: function (i) { return points.label_picked[i] ? "* " + (mv.text(points.choice, i) || "best restart") : ""; } },
      { head: "Trials", numeric: true, value: function (i) { return points.n_stored[i]; } },
      { head: "Unfinished", numeric: true, first: "down", value: function (i) { return points.failed[i] + points.skipped[i]; },
        show: function (i) {
          const n = points.failed[i] + points.skipped[i];
          return n ? mv.el("span", { class: "bad", title: mv.text(points.reason, i) }, n) : "0";
        } },
      { head: "Seconds", numeric: true, value: function (i) { return points.wall_s[i]; }, show: function (i) { return mv.seconds(points.wall_s[i]); } },
      { head: "MiB", numeric: true, value: function (i) { return points.peak_rss_mb[i]; }, show: function (i) { return mv.megabytes(points.peak_rss_mb[i]); } },
      { head: "Prepared", value: function (i) { return mv.text(points.prepare, i) || "none"; } },
      { head: "Protocol", value: function (i) { return mv.text(points.protocol, i); } },
    ]), rows, { name: options.name, caption: metric.label + ": mean ± standard deviation; (a/b): a of b trials count; ‡ not above the better control; * uses labels",
      sort: [options.method ? 2 : 0, options.method ? (metric.higher ? "down" : "up") : "up"] });
  };
})((window.mvarena = window.mvarena || {}));
