/* Seconds of a trial against the number of samples. */
(function (mv) {
  "use strict";
  const KINDS = ["data", "family", "method", "protocol"];
  mv.pages = mv.pages || {};

  mv.pages.scaling = function (main, choices) {
    return mv.need("points-" + mv.metricPlace(choices.metric), "cards").then(function (data) {
      const points = data[0];
      const chosen = mv.chosenRows(points, choices, KINDS);
      main.append(mv.el("h1", {}, "Scaling"), mv.filterBar(points, choices, KINDS));
      const lines = mv.costLines(points, chosen, data[1].datasets);
      if (!lines.length) {
        main.append(mv.el("p", { class: "claim" }, "No finished trial here has both a time and a known number of samples."));
        return;
      }
      main.append(mv.costFigure(lines, "Seconds of a trial", "Mean wall-clock seconds over conditions and repeats: preparation, fit, assignment, scoring. The data sets differ in more than their size."));
      main.append(table(lines));
    });
  };

  /* One line per contestant: [samples, mean seconds]. */
  mv.costLines = function (points, chosen, cards) {
    const labels = mv.get("labels");
    const of = new Map();
    chosen.forEach(function (i) {
      const samples = (cards[labels.datasets[points.dataset[i]].name] || {}).samples;
      const value = points.wall_s[i];
      if (!samples || value === null || points.mean[i] === null || labels.contestants[points.contestant[i]].control) return;
      if (!of.has(points.contestant[i])) of.set(points.contestant[i], new Map());
      const own = of.get(points.contestant[i]);
      if (!own.has(samples)) own.set(samples, []);
      own.get(samples).push(value);
    });
    return Array.from(of, function (pair) {
      const contestant = labels.contestants[pair[0]];
      return { label: contestant.label, contestant: contestant, points: Array.from(pair[1], function (one) {
        return [one[0], mv.mean(one[1])];
      }).filter(function (one) { return one[1] > 0; }).sort(function (a, b) { return a[0] - b[0]; }) };
    }).filter(function (line) { return line.points.length; });
  };

  mv.costFigure = function (lines, title, caption) {
    return mv.figure({ title: title, name: "seconds by samples", caption: caption + (lines.length > 14 ? " A line's name shows under the pointer." : ""),
      draw: function (theme) { return mv.lines(lines, theme, { x: "samples", y: "seconds", logarithmic: true }); },
      rows: function () {
        return [["method", "samples", "seconds"]].concat([].concat.apply([], lines.map(function (line) {
          return line.points.map(function (point) { return [line.label, point[0], point[1]]; });
        })));
      } });
  };

  /* The slope of log seconds over log samples, where there are three sizes or more that differ by a factor of three. */
  function slope(points) {
    if (points.length < 3 || points[points.length - 1][0] < 3 * points[0][0]) return null;
    const x = points.map(function (one) { return Math.log(one[0]); });
    const y = points.map(function (one) { return Math.log(one[1]); });
    const mx = mv.mean(x);
    const my = mv.mean(y);
    const sxy = x.reduce(function (sum, one, i) { return sum + (one - mx) * (y[i] - my); }, 0);
    return sxy / x.reduce(function (sum, one) { return sum + (one - mx) * (one - mx); }, 0);
  }

  function table(lines) {
    const rows = lines.map(function (line) {
      const last = line.points[line.points.length - 1];
      return { line: line, samples: last[0], seconds: last[1], slope: slope(line.points) };
    });
    return mv.table([
      { head: "Method", value: function (row) { return row.line.label; }, show: function (row) { return mv.link("method", row.line.contestant.algorithm, row.line.label); } },
      { head: "Most samples", numeric: true, first: "down", value: function (row) { return row.samples; } },
      { head: "Seconds there", numeric: true, value: function (row) { return row.seconds; }, show: function (row) { return mv.seconds(row.seconds); } },
      { head: "Exponent", title: "Seconds grow like samples to this power, by least squares over the data sets, which differ in more than their size",
        numeric: true, value: function (row) { return row.slope; }, show: function (row) { return row.slope === null ? null : row.slope.toFixed(1); } },
    ], rows, { name: "scaling", caption: "Seconds at the most samples", sort: [2, "up"], search: function (row) { return row.line.label; } });
  }
})((window.mvarena = window.mvarena || {}));
