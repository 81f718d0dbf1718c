/* What quality costs: a metric against seconds, on one data set or over all that are chosen. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};
  mv.pages.pareto = function (main, choices) {
    const place = mv.metricPlace(choices.metric);
    return mv.need("points-" + place, "trials", "values-" + place).then(function (data) {
      const metric = mv.metricNamed(choices.metric);
      const contestants = mv.get("labels").contestants;
      const rows = mv.overRates(data[1], data[2], underPreparation(data[1], choices)).filter(function (row) { return !contestants[row.contestant].control; });
      main.append(mv.el("h1", {}, "Quality and time"), mv.filterBar(Object.assign({}, data[0], { control: null }), choices, mv.KINDS));
      const groups = byPlace(rows.filter(usable));
      if (!groups.length) {
        main.append(mv.el("p", { class: "claim" }, "No trial here has both a value of " + metric.label + " and a time."));
        return;
      }
      if (groups.length > 1) overAll(main, mv.boardOf(data[0], Object.assign({}, choices, { scores: "raw" })));
      const holder = mv.el("div");
      const pick = mv.select("Data set", groups.map(function (group, i) { return [String(i), group.title]; }), "0", function (value) {
        holder.replaceChildren(one(groups[Number(value)], metric));
      });
      main.append(mv.el("h2", {}, "One data set"), mv.el("div", { class: "filters" }, pick), holder);
      holder.append(one(groups[0], metric));
      const gone = rows.filter(function (row) { return !usable(row); });
      if (gone.length) main.append(mv.note(mv.count(gone.length, "result") + " without a value or a time at all rates are not drawn; the pages of the data sets say why."));
    });
  };

  /* Whether a trial is among those that are chosen, and counts under the chosen scaling and filling. */
  function underPreparation(trials, choices) {
    const part = String(mv.get("labels").preparations.indexOf(choices.preparation));
    const chosen = new Set(mv.chosenRows(trials, choices, mv.KINDS));
    return function (i) { return chosen.has(i) && mv.text(trials.parts, i).split(" ").indexOf(part) >= 0; };
  }

  function usable(row) {
    return row.mean !== null && Number.isFinite(row.mean) && row.wall_s > 0;
  }

  function byPlace(rows) {
    const labels = mv.get("labels");
    const groups = new Map();
    rows.forEach(function (row) {
      const key = row.dataset + " " + row.corruption;
      if (!groups.has(key)) {
        const corruption = labels.corruptions[row.corruption];
        groups.set(key, { title: labels.datasets[row.dataset].label + (corruption.name === "none" ? "" : ", " + corruption.label), rows: [] });
      }
      groups.get(key).rows.push(row);
    });
    return Array.from(groups.values());
  }

  function drawable(rows, metric) {
    const labels = mv.get("labels");
    const fronts = mv.onFront(rows, metric.higher);
    const unit = metric.percent ? 100 : 1;
    return rows.map(function (row, i) {
      const contestant = labels.contestants[row.contestant];
      const label = contestant.label + (row.picked ? " *" : "");
      return { label: label, contestant: contestant, x: row.wall_s, y: row.mean * unit, front: fronts[i], picked: row.picked,
        title: label + ": " + mv.shown(row.mean, metric) + " in " + mv.seconds(row.wall_s) + " s" };
    }).sort(function (a, b) { return metric.higher ? b.y - a.y : a.y - b.y; });
  }

  function figure(title, caption, name, rows, metric) {
    const points = drawable(rows, metric);
    return mv.figure({
      title: title, name: name,
      caption: caption + " Filled: no other method is both as fast and as good. * uses labels, not on a front.",
      draw: function (theme) { return mv.scatter(points, theme, { x: "seconds of a trial", y: metric.axis }); },
      rows: function () {
        return [["method", "wall_s", metric.name, "on_front", "label_picked"]].concat(points.map(function (one) {
          return [one.label, one.x, one.y, one.front, one.picked];
        }));
      },
    });
  }

  function one(group, metric) {
    return figure(group.title, "Means over the rates and repeats.", "pareto " + group.title + " " + metric.name, group.rows, metric);
  }

  /* Over the data sets of the standings: the mean score over corpora, as there, and the geometric mean of the seconds. */
  function overAll(main, board) {
    if (board.table.empty) {
      main.append(mv.note("No two methods have results on the same data sets under these choices."));
      return;
    }
    const table = board.table;
    const seconds = secondsOf(board);
    const every = table.contestants.map(function (one, c) {
      return { contestant: one, mean: mv.mean(table.values.map(function (row) { return row[c]; })), wall_s: seconds(one), picked: false };
    });
    const rows = every.filter(function (row) { return row.wall_s !== null; });
    const gone = every.filter(function (row) { return row.wall_s === null; }).map(function (row) { return mv.get("labels").contestants[row.contestant].label; });
    main.append(figure("Over " + table.over, "Mean " + board.metric.label + " over corpora and geometric mean of the seconds, of " + mv.count(rows.length, "method") +
      (gone.length ? "; without a time on each of them: " + mv.listed(gone) : "") + ".", "pareto over all " + board.metric.name, rows, board.metric));
  }

  /* Contestant -> the geometric mean over the data sets of the mean seconds on each; null where it has none on one of them. */
  function secondsOf(board) {
    const points = board.points;
    const conditions = new Set(board.table.conditions.map(function (one) { return one.dataset + " " + one.corruption + " " + one.rate; }));
    const found = new Map();
    board.chosen.forEach(function (i) {
      const value = points.wall_s[i];
      const key = points.contestant[i] + " " + points.dataset[i];
      if (!(value > 0) || !conditions.has(points.dataset[i] + " " + points.corruption[i] + " " + points.rate[i])) return;
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(value);
    });
    return function (contestant) {
      const means = board.table.datasets.map(function (dataset) { return mv.mean(found.get(contestant + " " + dataset) || [NaN]); });
      return means.some(Number.isNaN) ? null : Math.exp(mv.mean(means.map(Math.log)));
    };
  }
})((window.mvarena = window.mvarena || {}));
