/* The explorer: every trial, also those that failed and those in whose place another one is shown. */
(function (mv) {
  "use strict";
  const KINDS = ["data", "family", "method", "condition", "protocol", "scaling", "filling"];
  mv.pages = mv.pages || {};

  mv.pages.trials = function (main, choices) {
    const place = mv.metricPlace(choices.metric);
    return mv.need("trials", "values-" + place).then(function (data) {
      const labels = mv.get("labels");
      const trials = data[0];
      const query = new URLSearchParams(window.location.hash.split("?")[1] || "");
      const algorithm = query.get("algorithm");
      const study = query.get("study");
      const wanted = query.get("status");
      const rows = mv.chosenRows(trials, choices, KINDS).filter(function (i) {
        return (!algorithm || labels.contestants[trials.contestant[i]].algorithm === algorithm) &&
          (study === null || trials.study.values[trials.study.codes[i]].indexOf(Number(study)) >= 0) && (!wanted || mv.text(trials.status, i) === wanted);
      });
      main.append(mv.el("h1", {}, "Trials"), mv.filterBar(trials, choices, KINDS), ending(trials, wanted));
      if (algorithm || study !== null || wanted) {
        const only = [algorithm ? "of " + algorithm : "", study !== null ? "of one study" : "", wanted ? "that ended as " + mv.status(wanted) : ""];
        main.append(mv.note(["Only trials " + only.filter(Boolean).join(", ") + ". ", mv.el("a", { href: "#/trials" }, "All trials")]));
      }
      main.append(table(trials, data[1], rows, mv.metricNamed(choices.metric)));
    });
  };

  function ending(trials, wanted) {
    const names = trials.status.values.slice().sort();
    if (names.length < 2) return "";
    return mv.el("div", { class: "filters" }, mv.select("Ended", [["", "in any way"]].concat(names.map(function (one) { return [one, mv.status(one)]; })),
      wanted || "", function (value) {
        const parts = window.location.hash.split("?");
        const query = new URLSearchParams(parts[1] || "");
        if (value) query.set("status", value);
        else query.delete("status");
        window.location.hash = parts[0] + (query.toString() ? "?" + query : "");
      }));
  }

  function table(trials, values, rows, metric) {
    const labels = mv.get("labels");
    return mv.table([
      { head: "Trial", narrow: true, value: function (i) { return trials.key[i]; }, show: function (i) { return mv.el("code", {}, mv.link("trial", String(i), trials.key[i].slice(0, 8))); } },
      { head: "Method", value: function (i) { return labels.contestants[trials.contestant[i]].label; }, show: function (i) {
        return [mv.name(labels.contestants[trials.contestant[i]].label), mv.text(trials.choice, i) ? mv.el("small", {}, " ", mv.name(mv.text(trials.choice, i))) : null];
      } },
      { head: "Data", value: function (i) { return labels.datasets[trials.dataset[i]].label; }, show: function (i) { return mv.name(labels.datasets[trials.dataset[i]].label); } },
      { head: "Condition", value: function (i) { return mv.condition(trials.corruption[i], trials.rate[i]); },
        show: function (i) { return mv.el("span", { class: "whole" }, mv.condition(trials.corruption[i], trials.rate[i])); } },
      { head: "Scaling", value: function (i) { return mv.text(trials.scaling, i); } },
      { head: "Filling", value: function (i) { return mv.text(trials.filling, i); } },
      { head: "Repeat", numeric: true, value: function (i) { return trials.repeat[i]; } },
      { head: "Ended", value: function (i) { return mv.status(mv.text(trials.status, i)); }, show: function (i) {
        const status = mv.text(trials.status, i);
        return mv.el("span", { class: status === "DONE" ? null : "bad", title: mv.text(trials.reason, i) || null }, mv.status(status) + (trials.counts[i] ? "" : ", not shown elsewhere"));
      } },
      { head: metric.axis, numeric: true, first: metric.higher ? "down" : "up", value: function (i) { return values.value[i]; }, show: function (i) {
        return [mv.shown(values.value[i], metric), values.label_picked[i] ? mv.el("span", { class: "picked", title: "uses labels" }, " *") : null];
      } },
      { head: "Seconds", numeric: true, first: "down", value: function (i) { return trials.wall_s[i]; }, show: function (i) { return mv.seconds(trials.wall_s[i]); } },
      { head: "MiB", numeric: true, first: "down", value: function (i) { return trials.peak_rss_mb[i]; }, show: function (i) { return mv.megabytes(trials.peak_rss_mb[i]); } },
      { head: "Began", value: function (i) { return trials.started[i]; }, show: function (i) { return mv.el("span", { class: "whole" }, mv.date(trials.started[i]).slice(0, 16)); } },
    ], rows, { name: "trials", caption: mv.count(rows.length, "trial") });
  }
})((window.mvarena = window.mvarena || {}));
