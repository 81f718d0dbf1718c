/* One trial: what it was, how it ended, its labelling against the classes, each restart, its objective. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.trial = function (main, choices, name) {
    const labels = mv.get("labels");
    const place = mv.metricPlace(choices.metric);
    const i = Number(name);
    const block = Math.floor(i / labels.block);
    const runs = labels.runs.indexOf(block) < 0 ? [] : ["runs-" + block];
    return mv.need.apply(null, ["trials", "studies", "values-" + place].concat(runs)).then(function (data) {
      const trials = data[0];
      if (!(i >= 0 && i < trials.n && i % 1 === 0)) return mv.unknown(main, "trial", name, "trials");
      const run = (data[3] || {})[name] || {};
      const contestant = labels.contestants[trials.contestant[i]];
      main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/trials" }, "Trials")), mv.el("h1", {}, mv.name(contestant.label), " on ", mv.name(labels.datasets[trials.dataset[i]].label)));
      const status = mv.text(trials.status, i);
      const reason = mv.text(trials.reason, i);
      if (status !== "DONE") main.append(mv.el("p", { class: "claim trouble" }, mv.status(status) + (reason ? ": " : ""), reason ? mv.name(reason) : null));
      main.append(facts(trials, i, contestant, data[1]));
      ["traceback", "stderr_tail"].forEach(function (kind) {
        if (run[kind]) main.append(mv.el("h2", {}, kind === "traceback" ? "Traceback" : "What it complained"), mv.el("pre", { class: "code", tabindex: "0" }, run[kind]));
      });
      if (run.table) main.append(mv.el("h2", {}, "One labelling"), confusion(run, trials.key[i]));
      if (run.objective && run.objective.length > 1) main.append(mv.el("h2", {}, "Objective"), objective(run, contestant, trials.key[i]));
      if (run.values) main.append(mv.el("h2", {}, "Scores"), values(run, trials.key[i]));
      if (status === "DONE" && !run.table && !run.values) {
        main.append(mv.note("The restarts and labelling of this trial are not in these pages, which keep " + labels.with_runs.toLocaleString("en") + " of " +
          trials.n.toLocaleString("en") + " so as to stay small; 'mvarena results show " + trials.key[i] + "' prints them."));
      }
      return undefined;
    });
  };

  function facts(trials, i, contestant, studies) {
    const labels = mv.get("labels");
    const own = trials.study.values[trials.study.codes[i]];
    return mv.facts([
      ["Key", mv.el("code", {}, trials.key[i])], ["Method", mv.link("method", contestant.algorithm, contestant.label)],
      ["Version", mv.text(trials.version, i)], ["Parameters", mv.el("code", {}, mv.text(trials.params, i))],
      ["Picked by labels", mv.text(trials.choice, i)],
      ["Data", mv.link("dataset", labels.datasets[trials.dataset[i]].name, labels.datasets[trials.dataset[i]].label)],
      ["Condition", mv.condition(trials.corruption[i], trials.rate[i])], ["Prepared by", mv.text(trials.prepare, i) || "nothing"],
      ["Protocol", mv.text(trials.protocol, i) + " (" + mv.text(trials.pick, i) + ")"],
      ["Seed, repeat", mv.text(trials.seed, i) + ", " + trials.repeat[i]],
      [own.length > 1 ? "Studies" : "Study", own.map(function (one, place) { return [place ? ", " : "", mv.link("study", String(one), studies[one].title)]; })],
      ["Counted", trials.counts[i] ? "yes" : "no: a later trial of the same repeat finished, or has more restarts"],
      ["Attempt", trials.attempt[i]], ["Began", mv.date(trials.started[i])], ["Took", mv.seconds(trials.wall_s[i]) + " s, of it the fit " + mv.seconds(trials.fit_s[i]) + " s"],
      ["Peak memory", mv.megabytes(trials.peak_rss_mb[i]) + " MiB"],
      ["Iterations", trials.n_iter[i] || null], ["Stopped because", mv.text(trials.stopped, i)],
    ]);
  }

  /* Classes against clusters, shaded by the share of the class. */
  function confusion(run, key) {
    const table = run.table;
    const labelled = table.length > 1;
    const totals = table.map(function (row) { return row.reduce(function (sum, one) { return sum + one; }, 0); });
    const order = clustersByClass(table);
    const columns = order.map(function (c) { return String(c); });
    const rows = labelled ? table.map(function (_, r) { return "class " + r; }) : ["samples"];
    const values = table.map(function (row, r) { return order.map(function (c) { return row[c] / (totals[r] || 1); }); });
    const shown = table.map(function (row) { return order.map(function (c) { return row[c] ? String(row[c]) : "·"; }); });
    return mv.figure({
      title: labelled ? "Classes against clusters" : "Sizes of clusters", name: "confusion " + key,
      caption: (labelled ? "Samples of each class in each cluster, shaded by the share of the class; clusters in the order of the classes they hold most of." : "Samples of each cluster."),
      draw: function (theme) { return mv.shades(rows, columns, values, shown, theme, { x: "cluster", y: labelled ? "class" : "" }); },
      rows: function () { return [["class"].concat(columns)].concat(table.map(function (row, r) { return [labelled ? r : ""].concat(order.map(function (c) { return row[c]; })); })); },
    });
  }

  function clustersByClass(table) {
    const heads = table[0].map(function (_, c) {
      let best = 0;
      table.forEach(function (row, r) { if (row[c] > table[best][c]) best = r; });
      return { c: c, best: best, n: table[best][c] };
    });
    return heads.sort(function (a, b) { return a.best - b.best || b.n - a.n || a.c - b.c; }).map(function (one) { return one.c; });
  }

  function objective(run, contestant, key) {
    const points = run.objective.filter(function (one) { return one[1] !== null && Number.isFinite(one[1]); });
    return mv.figure({
      title: "Objective by iteration", name: "objective " + key, caption: points.length === run.objective.length ? "" : "Values that are not finite are left out.",
      draw: function (theme) { return points.length ? mv.lines([{ label: contestant.label, contestant: contestant, points: points }], theme, { x: "iteration", y: "objective", whole: true }) : null; },
      rows: function () { return [["iteration", "objective"]].concat(run.objective); },
    });
  }

  function values(run, key) {
    const names = Object.keys(run.values);
    return mv.table(names.map(mv.metricNamed).map(function (metric, m) {
      return { head: metric.axis, numeric: true, first: "down", value: function (row) { return row[names[m]][0]; },
        show: function (row) { return mv.shown(row[names[m]][0], metric); } };
    }), [run.values], { name: "values " + key, caption: "What the protocol counts." });
  }
})((window.mvarena = window.mvarena || {}));
