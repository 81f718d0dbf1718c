/* One trial by the beginning of its key: its scores, what it was, how it ended. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.trial = function (main, choices, name) {
    const labels = mv.get("labels");
    const values = labels.metrics.map((_, m) => "values-" + m);
    return mv.need("trials", ...values).then(([trials, ...tables]) => {
      const i = name.length < 4 ? -1 : trials.key.findIndex((key) => key.startsWith(name));
      if (i < 0) return mv.unknown(main, "trial", name, "trials");
      return page(main, trials, tables, i);
    });
  };

  function page(main, trials, tables, i) {
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
      ["Error", mv.text(trials.error, i) ? mv.el("code", {}, mv.text(trials.error, i)) : null],
      ["Key", mv.el("code", {}, trials.key[i])], ["Everything stored", mv.el("code", {}, "mvarena results show " +
        trials.key[i])],
    ]));
  }
})((window.mvarena = window.mvarena || {}));
