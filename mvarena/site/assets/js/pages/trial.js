/* One trial by the beginning of its key: its scores, what it was, how it ended, its labelling against the classes. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.trial = function (main, choices, name) {
    const labels = mv.get("labels");
    const values = labels.metrics.map((_, m) => "values-" + m);
    return mv.need("trials", ...values).then(([trials, ...tables]) => {
      const i = name.length < 4 ? -1 : trials.key.findIndex((key) => key.startsWith(name));
      if (i < 0) return mv.unknown(main, "trial", name, "trials");
      const block = "details-" + trials.key[i].slice(0, labels.block);
      return (labels.details.includes(block) ? mv.need(block) : Promise.resolve([{}])).then(([details]) => page(main,
        trials, tables, i, details[trials.key[i]] || {}));
    });
  };

  function page(main, trials, tables, i, run) {
    const labels = mv.get("labels");
    const contestant = labels.contestants[trials.contestant[i]];
    const dataset = labels.datasets[trials.dataset[i]];
    const status = mv.text(trials.status, i);
    const reason = mv.text(trials.reason, i);
    const scores = labels.metrics.map((metric, m) => [metric, tables[m].value[i],
      tables[m].label_picked[i]]).filter((one) => one[1] !== null);
    main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/trials" }, "Trials")),
      mv.el("h1", {}, mv.name(contestant.label), " on ", mv.name(dataset.label), ", " +
      mv.condition(trials.condition[i])));
    if (status !== "DONE") main.append(mv.el("p", { class: "claim trouble" }, mv.status(status) + (reason ? ": " : ""),
      reason ? mv.name(reason) : null));
    else main.append(mv.el("p", { class: "scores" }, scores.length ? scores.map(([metric, value,
      picked]) => mv.el("span", {}, metric.axis + " ", mv.el("b", {}, mv.shown(value, metric)), picked ? " *" : null))
      : "not scored"));
    main.append(mv.facts([
      ["Method", mv.link("method", contestant.algorithm, contestant.label)],
        ["Parameters", mv.el("code", {}, mv.text(trials.params, i))], ["Version", mv.text(trials.version, i)],
      ["Data", mv.link("dataset", dataset.name, dataset.label)], ["Condition", mv.condition(trials.condition[i])],
        ["Prepared by", mv.text(trials.prepare, i) || "nothing"],
      ["Protocol", mv.text(trials.protocol, i) + " (" + mv.text(trials.pick, i) + ")"],
        ["Seed, repeat", mv.text(trials.seed, i) + ", " + trials.repeat[i]],
      ["Counted", trials.counts[i] ? "yes"
        : "no: the board shows another trial of this repeat, or another scaling or filling"],
      ["Began", mv.date(trials.started[i])], ["Took", mv.measured(mv.seconds(trials.wall_s[i]), "s") +
        ", of it the fit " + mv.measured(mv.seconds(trials.fit_s[i]), "s")],
      ["Peak memory", mv.measured(mv.megabytes(trials.peak_rss_mb[i]), "MiB")],
        ["Iterations", trials.n_iter[i] || null], ["Stopped because", mv.text(trials.stopped, i)],
      ["Key", mv.el("code", {}, trials.key[i])], ["Everything stored", mv.el("code", {}, "mvarena results show " +
        trials.key[i])],
    ]));
    if (run.table) main.append(confusion(run.table, trials.key[i]));
    if (run.objective && run.objective.length > 1) main.append(objective(run.objective, contestant, trials.key[i]) ||
      "");
    if (run.traceback) main.append(mv.el("h2", {}, "Traceback"), mv.code(run.traceback));
    if (run.stderr_tail) main.append(mv.el("h2", {}, "Standard error"), mv.code(run.stderr_tail));
  }

  /* Classes against clusters, shaded by the share of the class. */
  function confusion(table, key) {
    const labelled = table.length > 1;
    const totals = table.map((row) => row.reduce((sum, one) => sum + one, 0) || 1);
    const best = table[0].map((_, c) => table.reduce((r, row, own) => row[c] > table[r][c] ? own : r, 0));
    const order = best.map((_, c) => c).sort((a, b) => best[a] - best[b] || table[best[b]][b] - table[best[a]][a] ||
      a - b);
    const rows = labelled ? table.map((_, r) => "class " + r) : ["samples"];
    return mv.figure({
      title: labelled ? "Classes against clusters" : "Sizes of clusters", name: "confusion " + key,
      caption: labelled ? "Samples of each class in each cluster, shaded by the share of the class; clusters in the " +
        "order of the classes they hold most of." : "Samples of each cluster.",
      draw: (theme) => mv.shades(rows, order.map(String), table.map((row, r) => order.map((c) => row[c] / totals[r])),
        table.map((row) => order.map((c) => row[c] ? String(row[c]) : "·")), theme,
        { x: "cluster", y: labelled ? "class" : "" }),
      rows: () => [["class"].concat(order)].concat(table.map((row, r) => [labelled ? r
        : ""].concat(order.map((c) => row[c])))),
    });
  }

  function objective(course, contestant, key) {
    const points = course.filter((one) => Number.isFinite(one[1]));
    if (!points.length) return null;
    return mv.figure({
      title: "Objective by iteration", name: "objective " + key, caption: points.length === course.length ? ""
        : "Values that are not finite are left out.",
      draw: (theme) => mv.lines([{ label: contestant.label, contestant: contestant, points: points }], theme,
        { x: "iteration", y: "objective", whole: true }),
      rows: () => [["iteration", "objective"]].concat(course),
    });
  }
})((window.mvarena = window.mvarena || {}));
