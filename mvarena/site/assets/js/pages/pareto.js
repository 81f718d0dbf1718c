/* What quality costs: a metric against seconds, on one data set or over all that are chosen. */
(function (mv) {
  "use strict";
  const KINDS = ["data", "family", "method", "protocol"];

  mv.pages = mv.pages || {};
  mv.pages.pareto = function (main, choices) {
    const place = mv.metricPlace(choices.metric);
    return mv.need("points-" + place, "trials", "values-" + place).then(function (data) {
      const metric = mv.metricNamed(choices.metric);
      const chosen = new Set(mv.chosenRows(data[1], choices, KINDS));
      const rows = mv.overRates(data[1], data[2], function (i) { return chosen.has(i); });
      main.append(mv.el("h1", {}, "Quality and time"), mv.filterBar(data[0], choices, KINDS));
      const groups = byPlace(rows.filter(function (row) { return usable(row); }));
      if (!groups.length) {
        main.append(mv.el("p", { class: "claim" }, "No trial here has both a value of " + metric.label + " and a time."));
        return;
      }
      if (groups.length > 1) overAll(main, groups, metric);
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

  /* Those with a value on every data set: the mean of the values, the geometric mean of the seconds. */
  function overAll(main, groups, metric) {
    const of = new Map();
    groups.forEach(function (group) {
      group.rows.forEach(function (row) {
        if (!of.has(row.contestant)) of.set(row.contestant, []);
        of.get(row.contestant).push(row);
      });
    });
    const whole = Array.from(of.values()).filter(function (rows) { return rows.length === groups.length; });
    if (whole.length < 2) {
      main.append(mv.note("No two methods have results on all " + groups.length + " data sets that are chosen; choose fewer to see all in one figure."));
      return;
    }
    const rows = whole.map(function (own) {
      return { contestant: own[0].contestant, mean: mv.mean(own.map(function (row) { return row.mean; })),
        wall_s: Math.exp(mv.mean(own.map(function (row) { return Math.log(row.wall_s); }))),
        picked: own.some(function (row) { return row.picked; }) };
    });
    const gone = of.size - whole.length;
    main.append(figure("Over " + groups.length + " data sets", "Mean " + metric.label + " and geometric mean of the seconds" +
      (gone ? ", of the " + whole.length + " methods with results on all of them (" + gone + " have not)." : "."), "pareto over all " + metric.name, rows, metric));
  }
})((window.mvarena = window.mvarena || {}));
