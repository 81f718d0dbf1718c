/* The studies that a database holds, and the page of each: the command, when and on what it ran, what became of it. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.studies = function (main) {
    return mv.need("studies").then(function (data) {
      main.append(mv.el("h1", {}, "Studies"),
        mv.note("Trials of one protocol, corruption, scaling and seed are one study here. What was typed is not stored: each command is put together from the trials."),
        mv.table([
          { head: "Study", value: function (row) { return row.title; }, show: function (row) { return mv.link("study", String(row.place), row.title); } },
          { head: "Trials", numeric: true, first: "down", value: function (row) { return row.n; } },
          { head: "First", value: function (row) { return row.first; }, show: function (row) { return row.first.slice(0, 16).replace("T", " "); } },
          { head: "Last", value: function (row) { return row.last; }, show: function (row) { return row.last.slice(0, 16).replace("T", " "); } },
          { head: "Took", numeric: true, first: "down", title: "Wall-clock seconds of all trials together", value: function (row) { return row.wall_s; }, show: function (row) { return mv.duration(row.wall_s); } },
        ], data[0].map(function (one, i) { return Object.assign({ place: i }, one); }), { name: "studies", caption: "Studies" }));
    });
  };

  mv.pages.study = function (main, choices, name) {
    return mv.need("studies", "trials").then(function (data) {
      const study = data[0][Number(name)];
      if (!study) return mv.unknown(main, "study", name, "studies");
      main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/studies" }, "Studies")), mv.el("h1", {}, mv.name(study.title)),
        mv.facts([["Protocol", study.protocol], ["Corruption", study.corruption], ["Scaling", study.scaling || "as published"], ["Seed", String(study.seed)],
          ["First trial", study.first.replace("T", " ")], ["Last trial", study.last.replace("T", " ")], ["All trials took", mv.duration(study.wall_s)]]),
        mv.el("h2", {}, "The command"), mv.note("Put together from the stored trials, not as it was typed: it covers all of them, and where not every method met every data set and rate it plans more. Of methods that are not installed here it says no parameters."),
        mv.code(study.command), mv.el("h2", {}, "What became of it"), statuses(data[1], Number(name)),
        mv.el("p", {}, mv.el("a", { href: "#/trials?study=" + encodeURIComponent(name) }, "Every trial of this study")));
      main.append(mv.el("h2", {}, study.environments.length > 1 ? "Environments" : "Environment"));
      study.environments.forEach(function (one) {
        main.append(mv.facts(Object.keys(one).map(function (key) { return [key.replace(/_/g, " "), worded(one[key])]; })));
      });
      return undefined;
    });
  };

  function worded(value) {
    if (value === null || typeof value !== "object") return String(value);
    return Object.keys(value).map(function (key) { return key + " " + worded(value[key]); }).join(", ");
  }

  function statuses(trials, study) {
    const counts = new Map();
    for (let i = 0; i < trials.n; i++) {
      if (trials.study[i] !== study) continue;
      const status = mv.text(trials.status, i);
      counts.set(status, (counts.get(status) || 0) + 1);
    }
    return mv.facts(Array.from(counts, function (pair) { return [mv.status(pair[0]), mv.count(pair[1], "trial")]; }));
  }
})((window.mvarena = window.mvarena || {}));
