/* All methods, and the page of each: what it is, every result, every failure with its message. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.methods = function (main) {
    return mv.need("cards", "trials").then(([cards, trials]) => {
      const labels = mv.get("labels");
      const rows = Array.from(mv.grouped(trials.contestant.map((_, i) => i),
        (i) => labels.contestants[trials.contestant[i]].algorithm), ([name, own]) => {
        const done = own.filter((i) => mv.text(trials.status, i) === "DONE");
        return { name: name, card: cards.methods[name], family: labels.contestants[trials.contestant[own[0]]].family,
          all: own.length, done: done.length,
          seconds: mv.mean(done.map((i) => trials.seconds[i]).filter((value) => value !== null)) };
      });
      main.append(mv.el("h1", {}, "Methods in these results"), mv.table([
        { head: "Method", value: (row) => row.card.label, show: (row) => mv.link("method", row.name, row.card.label) },
        { head: "Family", value: (row) => row.family },
        { head: "Summary", value: (row) => row.card.summary, show: (row) => row.card.summary
          ? mv.el("span", { class: "roomy" }, mv.name(row.card.summary)) : null },
        { head: "Trials", numeric: true, first: "down", value: (row) => row.all },
        { head: "Unfinished", numeric: true, first: "down", value: (row) => row.all - row.done,
          show: (row) => row.all - row.done ? mv.el("span", { class: "bad" }, row.all - row.done) : "0" },
        { head: "CPU s", title: "Mean over its trials that finished", numeric: true, value: (row) => row.seconds,
          text: (row) => mv.seconds(row.seconds) },
      ], rows, { name: "methods", caption: mv.count(mv.methodCount(), "method") + ", and trivial baselines",
        sort: [0, "up"], search: (row) => row.card.label + " " + row.family + " " + (row.card.summary || "") }));
    });
  };

  mv.pages.method = function (main, choices, name) {
    return Promise.all([mv.need("cards", "trials"), mv.needPoints(choices.metric)]).then(([[cards, trials],
      [points]]) => {
      const card = cards.methods[name];
      if (!card) return mv.unknown(main, "method", name, "methods");
      const labels = mv.get("labels");
      const metric = mv.metricNamed(choices.metric);
      const rows = mv.chosenRows(points, choices,
        mv.QUESTION).filter((i) => labels.contestants[points.contestant[i]].algorithm === name);
      main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/methods" }, "Methods")),
        mv.el("h1", {}, mv.name(card.label)), card.summary ? mv.el("p", { class: "lead" }, mv.name(card.summary)) : "",
        mv.facts([["Family", card.family], ["Paper", card.link && mv.el("a", { href: card.link, rel: "noreferrer" },
          card.link)], ["Checked", card.status], ["Takes", card.takes], ["Cost", card.cost],
          ["Preparation in the paper", card.prepare], ["Version", card.versions]]), ...parameters(card),
            mv.filterBar(points, choices, mv.QUESTION));
      main.append(rows.length ? mv.pointTable(points, rows, metric, { name: name + " " + metric.name, data: true })
        : mv.note("No result fits these choices."));
      failures(main, trials, name);
      main.append(mv.el("p", {}, mv.el("a", { href: "#/trials?algorithm=" + encodeURIComponent(name) },
        "Every trial of this method")));
      return undefined;
    });
  };

  function parameters(card) {
    return [card.parameters.length ? mv.more("Parameters: " + card.parameters.length, mv.table([
      { head: "Parameter", value: (row) => row.name, show: (row) => mv.el("code", {}, row.name) },
      { head: "Default", value: (row) => row.default, show: (row) => mv.el("code", {}, row.default) },
      { head: "Values", value: (row) => row.words },
    ], card.parameters, { name: "parameters " + card.name })) : "", card.citation
      ? mv.more("Citation", mv.code(card.citation)) : ""];
  }

  /* What did not finish, by message, with the data sets and one trial to look at. */
  function failures(main, trials, name) {
    const labels = mv.get("labels");
    const own = trials.contestant.map((_,
      i) => i).filter((i) => labels.contestants[trials.contestant[i]].algorithm === name);
    const bad = own.filter((i) => mv.text(trials.status, i) !== "DONE");
    const rows = Array.from(mv.grouped(bad, (i) => mv.text(trials.status, i) + " " +
      mv.text(trials.reason, i)).values());
    main.append(mv.el("h2", {}, "Trials that did not finish"));
    if (!rows.length) return main.append(mv.note("All " + mv.count(own.length, "trial") + " finished."));
    const sets = (row) => Array.from(new Set(row.map((i) => labels.datasets[trials.dataset[i]].label)));
    return main.append(mv.table([
      { head: "Ended", value: (row) => mv.status(mv.text(trials.status, row[0])) },
      { head: "Trials", numeric: true, first: "down", value: (row) => row.length },
      { head: "Message", value: (row) => mv.text(trials.reason, row[0]),
        show: (row) => mv.el("span", { class: "message" }, mv.name(mv.text(trials.reason, row[0]) || "none")) },
      { head: "On", value: (row) => sets(row).join(", "), text: (row) => sets(row).length > 4
        ? mv.count(sets(row).length, "data set") : sets(row).join(", ") },
      { head: "For example", value: (row) => trials.key[row[0]], show: (row) => mv.link("trial", trials.key[row[0]],
        trials.key[row[0]].slice(0, 8)) },
    ], rows, { name: "failures " + name, caption: "By message", sort: [1, "down"] }));
  }
})((window.mvarena = window.mvarena || {}));
