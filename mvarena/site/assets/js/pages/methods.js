/* All methods, and the page of each: what it is, every result, every failure with its message. */
(function (mv) {
  "use strict";
  const KINDS = ["data", "condition", "protocol"];
  mv.pages = mv.pages || {};

  mv.pages.methods = function (main) {
    return mv.need("cards", "trials").then(function (data) {
      const rows = Object.keys(data[0].methods).map(function (name) {
        return { name: name, card: data[0].methods[name], found: countsOf(data[1], name) };
      });
      main.append(mv.el("h1", {}, "Methods"), mv.table([
        { head: "Method", value: function (row) { return row.card.label || row.name; }, show: function (row) { return mv.link("method", row.name, row.card.label || row.name); } },
        { head: "Family", value: function (row) { return row.found.family; } },
        { head: "What it is", value: function (row) { return row.card.summary; }, show: function (row) {
          return row.card.installed ? mv.el("span", { class: "roomy" }, mv.name(row.card.summary)) : mv.el("span", { class: "none" }, "not installed here");
        } },
        { head: "Checked", value: function (row) { return row.card.status; } },
        { head: "Trials", numeric: true, first: "down", value: function (row) { return row.found.all; } },
        { head: "Unfinished", numeric: true, first: "down", value: function (row) { return row.found.all - row.found.done; }, show: function (row) {
          const n = row.found.all - row.found.done;
          return n ? mv.el("span", { class: "bad" }, n) : "0";
        } },
        { head: "Seconds", title: "Mean wall-clock seconds of a trial: preparation, fit, assignment, scoring", numeric: true, value: function (row) { return row.found.seconds; },
          show: function (row) { return mv.seconds(row.found.seconds); } },
      ], rows, { name: "methods", caption: "Methods", sort: [0, "up"],
        search: function (row) { return (row.card.label || row.name) + " " + row.found.family + " " + (row.card.summary || ""); } }));
    });
  };

  function countsOf(trials, algorithm) {
    const labels = mv.get("labels");
    const seconds = [];
    const found = { all: 0, done: 0, family: "" };
    for (let i = 0; i < trials.n; i++) {
      const one = labels.contestants[trials.contestant[i]];
      if (one.algorithm !== algorithm) continue;
      found.all += 1;
      found.family = one.family;
      if (mv.text(trials.status, i) === "DONE") {
        found.done += 1;
        if (trials.wall_s[i] !== null) seconds.push(trials.wall_s[i]);
      }
    }
    return Object.assign(found, { seconds: seconds.length ? mv.mean(seconds) : null });
  }

  mv.pages.method = function (main, choices, name) {
    return mv.need("cards", "points-" + mv.metricPlace(choices.metric), "trials").then(function (data) {
      const card = data[0].methods[name];
      if (!card) return mv.unknown(main, "method", name, "methods");
      const labels = mv.get("labels");
      const metric = mv.scoredMetric(choices);
      const points = mv.scored(data[1], choices);
      const rows = mv.chosenRows(points, choices, KINDS).filter(function (i) { return labels.contestants[points.contestant[i]].algorithm === name; });
      main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/methods" }, "Methods")), mv.el("h1", {}, mv.name(card.label || name)), cardOf(card));
      main.append(mv.el("h2", {}, "Results"), mv.filterBar(points, choices, KINDS));
      main.append(rows.length ? mv.pointTable(points, rows, metric, { name: name + " " + metric.name }) : mv.note("No result fits these choices."));
      ranks(main, data[1], choices, name);
      cost(main, points, rows, data[0].datasets);
      failures(main, data[2], name);
      main.append(mv.el("p", {}, mv.el("a", { href: "#/trials?algorithm=" + encodeURIComponent(name) }, "Every trial of this method")));
      return undefined;
    });
  };

  function cardOf(card) {
    if (!card.installed) return mv.note("No plugin provides this method here, so nothing is known of it but its results.");
    return mv.el("div", {}, mv.el("p", { class: "lead" }, mv.name(card.summary)),
      mv.facts([["Source", card.source && mv.name(card.source)], ["Paper", card.citation && paper(card.citation)], ["Checked", card.status], ["Cost", card.cost && mv.name(card.cost)], ["Takes", card.takes], ["Threads", card.threads],
        ["Its paper prepares by", card.prepare], ["Best by labels over", card.picks_by_labels], ["Version", card.version], ["From", card.provided_by]]),
      card.objective ? mv.el("div", {}, mv.el("h2", {}, "Objective"), mv.el("pre", { class: "code prose", tabindex: "0" }, card.objective)) : null,
      card.parameters.length ? mv.table([
        { head: "Parameter", value: function (row) { return row.name; }, show: function (row) { return mv.el("code", {}, row.name); } },
        { head: "Default", value: function (row) { return row.default; }, show: function (row) { return mv.el("code", {}, row.default || mv.NONE); } },
        { head: "May be", value: function (row) { return row.may_be; } },
      ], card.parameters, { name: "parameters " + card.name, caption: "Parameters" }) : null,
      card.description ? mv.el("details", { class: "more", open: card.description.split("\n").length < 40 },
        mv.el("summary", {}, "Steps, and departures from the paper"),
        mv.el("pre", { class: "code prose", tabindex: "0" }, card.description)) : null,
      card.citation ? mv.el("details", { class: "more" }, mv.el("summary", {}, "Citation"), mv.code(card.citation)) : null);
  }

  function paper(citation) {
    const doi = /\bdoi\s*=\s*[{"]([^}"\s]+)[}"]/i.exec(citation), url = /\burl\s*=\s*[{"](https?:[^}"\s]+)[}"]/i.exec(citation);
    const link = doi ? "https://doi.org/" + encodeURI(doi[1]) : url && url[1];
    return link ? mv.el("a", { href: link, rel: "noreferrer" }, doi ? doi[1] : link) : null;
  }

  /* Its rank on each corpus among all methods, under the chosen conditions. */
  function ranks(main, stored, choices, name) {
    const labels = mv.get("labels");
    const board = mv.boardOf(stored, Object.assign({}, choices, { method: [], family: [] }));
    if (board.table.empty) return;
    board.table.contestants.forEach(function (one, c) {
      if (labels.contestants[one].algorithm !== name) return;
      const k = board.table.contestants.length;
      const rows = board.table.corpora.map(function (corpus, r) {
        return { corpus: corpus, rank: board.table.ranks[r][c], value: board.table.values[r][c] };
      }).sort(function (a, b) { return a.rank - b.rank; });
      main.append(mv.figure({
        title: "Rank on each corpus: " + labels.contestants[one].label, name: "ranks " + labels.contestants[one].label,
        caption: "Of " + k + " methods by " + board.metric.label + ", 1 is best; mean rank " + board.table.meanRanks[c].toFixed(2) + " (the line), place " + (c + 1) + ".",
        draw: function (theme) { return mv.strip(rows, k, board.table.meanRanks[c], labels.contestants[one], theme); },
        rows: function () { return [["corpus", "rank", board.metric.name]].concat(rows.map(function (row) { return [row.corpus, row.rank, row.value]; })); },
      }));
    });
  }

  function cost(main, points, rows, cards) {
    const lines = mv.costLines(points, rows, cards);
    const sizes = new Set([].concat.apply([], lines.map(function (line) { return line.points.map(function (one) { return one[0]; }); })));
    if (sizes.size < 2) return;
    main.append(mv.costFigure(lines, "Seconds by samples", "Mean over the conditions of each data set; these differ in more than their size."));
  }

  /* What did not finish, by message, with the data sets and one trial to look at. */
  function failures(main, trials, name) {
    const labels = mv.get("labels");
    const groups = new Map();
    let all = 0;
    for (let i = 0; i < trials.n; i++) {
      const status = mv.text(trials.status, i);
      if (labels.contestants[trials.contestant[i]].algorithm !== name) continue;
      all += 1;
      if (status === "DONE") continue;
      const key = status + " " + mv.text(trials.reason, i);
      if (!groups.has(key)) groups.set(key, { status: status, reason: mv.text(trials.reason, i), n: 0, datasets: new Set(), first: i });
      groups.get(key).n += 1;
      groups.get(key).datasets.add(labels.datasets[trials.dataset[i]].label);
    }
    main.append(mv.el("h2", {}, "Trials that did not finish"));
    if (!groups.size) {
      main.append(mv.note("All " + mv.count(all, "trial") + " finished."));
      return;
    }
    main.append(mv.table([
      { head: "Ended", value: function (row) { return mv.status(row.status); } },
      { head: "Trials", numeric: true, first: "down", value: function (row) { return row.n; } },
      { head: "Message", value: function (row) { return row.reason; }, show: function (row) { return mv.el("span", { class: "message" }, mv.name(row.reason || "none was left")); } },
      { head: "On", value: function (row) { return Array.from(row.datasets).join(", "); } },
      { head: "For example", value: function (row) { return trials.key[row.first]; }, show: function (row) { return mv.link("trial", String(row.first), trials.key[row.first].slice(0, 8)); } },
    ], Array.from(groups.values()), { name: "failures " + name, caption: "By message", sort: [1, "down"] }));
  }
})((window.mvarena = window.mvarena || {}));
