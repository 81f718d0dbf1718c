/* The studies that a database holds, and the page of each: the command, when and on what it ran, what became of it. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.studies = function (main) {
    return mv.need("studies").then(function (data) {
      main.append(mv.el("h1", {}, "Studies"),
        mv.note("A study is what one command asked for. Trials whose command is not stored are shown together."),
        mv.table([
          { head: "Study", value: function (row) { return row.title; }, show: function (row) { return mv.link("study", String(row.place), row.title); } },
          { head: "Trials", numeric: true, first: "down", value: function (row) { return row.n; } },
          { head: "First", value: function (row) { return row.first; }, show: function (row) { return whole(row.first); } },
          { head: "Last", value: function (row) { return row.last; }, show: function (row) { return whole(row.last); } },
          { head: "Took", numeric: true, first: "down", title: "Wall-clock seconds of all trials together", value: function (row) { return row.wall_s; }, show: function (row) { return mv.duration(row.wall_s); } },
        ], data[0].map(function (one, i) { return Object.assign({ place: i }, one); }), { name: "studies", caption: "Studies" }));
    });
  };

  mv.pages.study = function (main, choices, name) {
    return mv.need("studies", "trials").then(function (data) {
      const study = data[0][Number(name)];
      if (!study) return mv.unknown(main, "study", name, "studies");
      const known = study.runs.length > 0;
      main.append(mv.el("p", { class: "crumb" }, mv.el("a", { href: "#/studies" }, "Studies")), mv.el("h1", {}, mv.name(study.title)),
        mv.facts([["Protocol", mv.name(study.protocol)], ["Corruption", mv.name(study.corruption)],
          [known ? "Asked for" : "First trial", moment(study.first)], [known ? "Ended" : "Last trial", moment(study.last)],
          ["All trials took", mv.duration(study.wall_s)], ["mvarena", known ? study.versions.join(", ") : null]]),
        command(study, known));
      if (study.file) main.append(mv.el("h2", {}, "The study file"), mv.note(study.by_python ? "The arguments of the call, without the folders of files." : "Without comments, and without the folders of files."), mv.code(study.file));
      if (known) main.append(mv.el("h2", {}, "Runs"), runs(study.runs, name));
      main.append(mv.el("h2", {}, "Outcomes of its trials"), statuses(data[1], Number(name)),
        mv.el("p", {}, mv.el("a", { href: "#/trials?study=" + encodeURIComponent(name) }, "Every trial of this study")));
      main.append(mv.el("h2", {}, study.environments.length > 1 ? "Environments" : "Environment"));
      study.environments.forEach(function (one) {
        main.append(mv.facts(Object.keys(one).map(function (key) { return [key.replace(/_/g, " "), worded(one[key])]; })));
      });
      return undefined;
    });
  };

  function command(study, known) {
    let said = [mv.note("Not stored.")];
    if (known && !study.by_python) said = [mv.note("As it was typed, without passwords and the folders of files."), mv.code(study.command)];
    else if (known) said = [mv.el("p", {}, "It was asked for by ", mv.el("code", {}, "mvarena.run"), " from Python" + (study.file ? "; below is the study file that asks for the same." : ", whose arguments are not stored."))];
    return mv.el("div", {}, mv.el("h2", {}, "The command"), said);
  }

  function runs(found, name) {
    return mv.table([
      { head: "Began", value: function (row) { return row.began; }, show: function (row) { return whole(row.began); } },
      { head: "Took", numeric: true, first: "down", value: function (row) { return row.seconds; }, show: function (row) { return row.seconds === null ? "–" : mv.duration(row.seconds); } },
      { head: "Trials", numeric: true, first: "down", title: "That it asked for; what was stored already was not run again", value: function (row) { return row.n; } },
      { head: "Ended", value: function (row) { return row.ended || "under way, or killed"; } },
    ], found, { name: "runs of study " + name, caption: mv.count(found.length, "run") });
  }

  function whole(text) {
    return mv.el("span", { class: "whole" }, moment(text));
  }

  function moment(text) {
    return text && text.slice(0, 16).replace("T", " ") + " UTC";
  }

  function worded(value) {
    if (value === null || typeof value !== "object") return String(value);
    return Object.keys(value).map(function (key) { return key + " " + worded(value[key]); }).join(", ");
  }

  function statuses(trials, study) {
    const counts = new Map();
    for (let i = 0; i < trials.n; i++) {
      if (trials.study.values[trials.study.codes[i]].indexOf(study) < 0) continue;
      const status = mv.text(trials.status, i);
      counts.set(status, (counts.get(status) || 0) + 1);
    }
    return mv.facts(Array.from(counts, function (pair) { return [mv.status(pair[0]), mv.count(pair[1], "trial")]; }));
  }
})((window.mvarena = window.mvarena || {}));
