/* What the reader chose to see: kept in the address, shown as a row of choices, applied to points and trials. */
(function (mv) {
  "use strict";
  const LISTS = ["data", "family", "condition", "protocol", "scaling", "filling", "method"];
  const WORDS = { data: "Data sets", family: "Families", condition: "Conditions", protocol: "Protocols",
    scaling: "Scalings", filling: "Fillings", method: "Methods" };

  const OF_PAGE = ["sort", "search"]; // that are not carried to another page

  /* The choices in the address: lists of names (empty: all), the metric, how the unfinished are ranked, whether scores are
     above the control, pinned contestants, and of each table how it is sorted ("name|column|up") and searched ("name|text"). */
  mv.choices = function () {
    const query = new URLSearchParams(window.location.hash.split("?")[1] || "");
    const first = mv.get("labels").metrics[0];
    const found = { metric: query.get("metric") || (first ? first.name : ""),
      unfinished: query.get("unfinished") === "left-out" ? "left-out" : "last",
      preparation: query.get("preparation") || mv.get("labels").preparations[0],
      scores: query.get("scores") === "above-control" ? "above-control" : "raw", pin: query.getAll("pin") };
    OF_PAGE.forEach(function (name) { found[name] = query.getAll(name); });
    LISTS.forEach(function (name) { found[name] = query.getAll(name); });
    return found;
  };

  /* The part of the address that holds them, to be carried from page to page. */
  mv.queryOf = function (choices) {
    const query = new URLSearchParams();
    const first = mv.get("labels").metrics[0];
    if (first && choices.metric !== first.name) query.set("metric", choices.metric);
    if (choices.unfinished !== "last") query.set("unfinished", choices.unfinished);
    if (choices.preparation !== mv.get("labels").preparations[0]) query.set("preparation", choices.preparation);
    if (choices.scores === "above-control") query.set("scores", choices.scores);
    LISTS.concat("pin", OF_PAGE).forEach(function (name) { choices[name].forEach(function (one) { query.append(name, one); }); });
    const text = query.toString();
    return text ? "?" + text : "";
  };

  mv.choose = function (choices) {
    window.location.hash = window.location.hash.split("?")[0] + mv.queryOf(choices);
  };

  /* Keep choices in the address without drawing the page anew. */
  mv.remember = function (changes) {
    const address = window.location.hash.split("?")[0] || "#/board";
    window.history.replaceState(null, "", address + mv.queryOf(Object.assign(mv.choices(), changes)));
  };

  /* The choices without those that belong to one page alone. */
  mv.carried = function (choices) {
    const same = Object.assign({}, choices);
    OF_PAGE.forEach(function (name) { same[name] = []; });
    return same;
  };

  /* What the address says of a table under `kind` (sort or search), after the table's name; null where it says nothing. */
  mv.recalled = function (kind, table) {
    const start = table + "|";
    const own = mv.choices()[kind].find(function (text) { return text.indexOf(start) === 0; });
    return own === undefined ? null : own.slice(start.length);
  };

  mv.keepOf = function (kind, table, text) {
    const start = table + "|";
    const others = mv.choices()[kind].filter(function (one) { return one.indexOf(start) !== 0; });
    const changes = {};
    changes[kind] = text ? others.concat(start + text) : others;
    mv.remember(changes);
  };

  /* Points with their scores as chosen: as they are, or as the share of the way from the better control to the best value. */
  mv.scored = function (points, choices) {
    const metric = mv.metricNamed(choices.metric);
    if (choices.scores !== "above-control" || !metric.percent) return points;
    const best = metric.higher ? 1 : 0;
    const share = function (value, i) {
      const floor = points.control[i];
      return value === null || floor === null || floor === best ? null : (value - floor) / (best - floor);
    };
    return Object.assign({}, points, {
      mean: points.mean.map(share),
      std: points.std.map(function (value, i) {
        return value === null || points.control[i] === null ? null : value / Math.abs(best - points.control[i]);
      }),
    });
  };

  mv.scoredMetric = function (choices) {
    const metric = mv.metricNamed(choices.metric);
    if (choices.scores !== "above-control" || !metric.percent) return metric;
    return Object.assign({}, metric, { label: metric.label + " above control", axis: metric.label + " above control (%)", higher: true });
  };

  /* What row i of a table of points or trials is, by each kind of choice. */
  function nameOf(table, kind, i) {
    const labels = mv.get("labels");
    if (kind === "data") return labels.datasets[table.dataset[i]].name;
    if (kind === "family") return labels.contestants[table.contestant[i]].family || "not installed";
    if (kind === "method") return labels.contestants[table.contestant[i]].name;
    if (kind === "condition") return mv.condition(table.corruption[i], table.rate[i]);
    return mv.text(table[kind], i);
  }

  /* The rows of a table that are meant; kinds: those that count here. */
  mv.chosenRows = function (table, choices, kinds) {
    const sets = (kinds || LISTS).filter(function (kind) { return choices[kind].length; }).map(function (kind) {
      return [kind, new Set(choices[kind])];
    });
    const rows = [];
    for (let i = 0; i < table.n; i++) {
      if (table.preparation && mv.text(table.preparation, i) !== choices.preparation) continue;
      if (sets.every(function (one) { return one[1].has(nameOf(table, one[0], i)); })) rows.push(i);
    }
    return rows;
  };

  /* The row of choices above a page. kinds: the lists to choose from; options.unfinished: whether that is asked. */
  mv.filterBar = function (table, choices, kinds, options) {
    const labels = mv.get("labels");
    const bar = mv.el("form", { class: "filters", "aria-label": "What is shown", onsubmit: function (e) { e.preventDefault(); } });
    bar.append(select("Metric", labels.metrics.map(function (one) { return [one.name, one.label]; }), choices.metric,
      function (value) { mv.choose(Object.assign({}, choices, { metric: value })); }));
    if (table.preparation && labels.preparations.length > 1) {
      bar.append(select("Scaling, filling", labels.preparations.map(function (one) { return [one, one]; }), choices.preparation,
        function (value) { mv.choose(Object.assign({}, choices, { preparation: value })); }));
    }
    kinds.forEach(function (kind) {
      const picker = pickerOf(table, kind, choices);
      if (picker) bar.append(picker);
    });
    if (table.control && mv.metricNamed(choices.metric).percent) {
      bar.append(select("Scores", [["raw", "as they are"], ["above-control", "from control to best"]], choices.scores,
        function (value) { mv.choose(Object.assign({}, choices, { scores: value })); }));
    }
    if (options && options.unfinished) {
      bar.append(select("Unfinished", [["last", "ranked last"], ["left-out", "finished only"]], choices.unfinished,
        function (value) { mv.choose(Object.assign({}, choices, { unfinished: value })); }));
    }
    if (kinds.some(function (kind) { return choices[kind].length; })) {
      bar.append(mv.el("button", { type: "button", class: "plain", onclick: function () {
        const all = Object.assign({}, choices);
        kinds.forEach(function (kind) { all[kind] = []; });
        mv.choose(all);
      } }, "Show all"));
    }
    return bar;
  };

  function select(word, options, value, changed) {
    const made = mv.el("select", { name: mv.fileName(word), onchange: function () { changed(made.value); } },
      options.map(function (one) { return mv.el("option", { value: one[0], selected: one[0] === value }, one[1]); }));
    return mv.el("label", { class: "field" }, mv.el("span", {}, word), made);
  }
  mv.select = select;

  function pickerOf(table, kind, choices) {
    const names = [];
    const seen = new Set();
    for (let i = 0; i < table.n; i++) {
      if (table.preparation && mv.text(table.preparation, i) !== choices.preparation) continue;
      const name = nameOf(table, kind, i);
      if (!seen.has(name)) {
        seen.add(name);
        names.push(name);
      }
    }
    if (names.length < 2) return null;
    names.sort(function (a, b) { return a.localeCompare(b, "en", { numeric: true }); });
    const chosen = new Set(choices[kind].length ? choices[kind] : names);
    const boxes = names.map(function (name) {
      return mv.el("input", { type: "checkbox", value: name, checked: chosen.has(name) });
    });
    function apply() {
      const on = boxes.filter(function (box) { return box.checked; }).map(function (box) { return box.value; });
      const changed = Object.assign({}, choices);
      changed[kind] = on.length === names.length ? [] : on;
      if (on.length) mv.choose(changed);
    }
    const all = mv.el("button", { type: "button", class: "plain", onclick: function () { boxes.forEach(function (b) { b.checked = true; }); } }, "All");
    const none = mv.el("button", { type: "button", class: "plain", onclick: function () { boxes.forEach(function (b) { b.checked = false; }); } }, "None");
    const done = mv.el("button", { type: "button", class: "go", onclick: apply }, "Apply");
    const counted = names.filter(function (name) { return !ofControl(kind, name); });
    const on = counted.filter(function (name) { return chosen.has(name); });
    const count = choices[kind].length ? on.length + " of " + counted.length : "all " + counted.length;
    return mv.el("details", { class: "pick", "data-kind": kind, onkeydown: function (event) {
      if (event.key === "Escape") this.open = false;
    } },
      mv.el("summary", {}, WORDS[kind] + ": ", mv.el("b", {}, count)),
      mv.el("fieldset", {}, mv.el("legend", {}, WORDS[kind]),
        mv.el("div", { class: "boxes" }, names.map(function (name, i) {
          return mv.el("label", {}, boxes[i], " ", mv.name(labelOf(kind, name)));
        })),
        mv.el("p", { class: "tools" }, all, none, done)));
  }

  /* Controls are no methods: they are chosen among these, and not counted. */
  function ofControl(kind, name) {
    const one = kind === "method" && mv.get("labels").contestants.find(function (own) { return own.name === name; });
    return Boolean(one && one.control);
  }

  function labelOf(kind, name) {
    const labels = mv.get("labels");
    const list = { data: labels.datasets, method: labels.contestants }[kind];
    const found = list && list.find(function (one) { return one.name === name; });
    return found ? found.label : name;
  }

  document.addEventListener("click", function (event) {
    document.querySelectorAll("details.pick[open]").forEach(function (one) {
      if (!one.contains(event.target)) one.open = false;
    });
  });
})((window.mvarena = window.mvarena || {}));
