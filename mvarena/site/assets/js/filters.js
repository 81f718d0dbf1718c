/* What the reader chose to see: kept in the address, shown as a row of choices, applied to points and trials. */
(function (mv) {
  "use strict";
  // of which one value is chosen, or none
  const ONE = ["condition", "kind", "size", "finished", "corpora", "algorithm", "status"];
  const SEVERAL = ["family", "data"];
  const LISTS = SEVERAL.concat("pin", "sort", "search");
  const WORDS = { data: "Data sets", family: "Families" };
  let openOn = null; // on a phone: the page of which the filters are open
  const pathOf = () => window.location.hash.split("?")[0];
  const OF_PAGE = ["sort", "search", "algorithm", "status"]; // that are not carried to another page

  /* The choices in the address. metric: a name. condition, kind, size: the question that is asked, "" for all. family,
     data: lists of names, empty for all. finished: "all" shows methods that finished everything. corpora: "shown" has a
     column for each. algorithm, status: of the page of trials. pin: contestants. sort, search: of each table,
     as "name|column|up" and "name|text". */
  mv.choices = function () {
    const query = new URLSearchParams(window.location.hash.split("?")[1] || "");
    const first = mv.get("labels").metrics[0];
    const found = { metric: query.get("metric") || (first ? first.name : "") };
    ONE.forEach((name) => { found[name] = query.get(name) || ""; });
    LISTS.forEach((name) => { found[name] = query.getAll(name); });
    return found;
  };

  /* The part of the address that holds them, to be carried from page to page. */
  mv.queryOf = function (choices) {
    const query = new URLSearchParams();
    const first = mv.get("labels").metrics[0];
    if (first && choices.metric !== first.name) query.set("metric", choices.metric);
    ONE.forEach((name) => { if (choices[name]) query.set(name, choices[name]); });
    LISTS.forEach((name) => choices[name].forEach((one) => query.append(name, one)));
    const text = query.toString();
    return text ? "?" + text : "";
  };

  mv.choose = function (changes) {
    window.location.hash = pathOf() + mv.queryOf(Object.assign(mv.choices(), changes));
  };

  /* Keep choices in the address without drawing the page anew. */
  mv.remember = function (changes) {
    const address = pathOf() || "#/board";
    window.history.replaceState(null, "", address + mv.queryOf(Object.assign(mv.choices(), changes)));
  };

  /* The choices without those that belong to one page alone. */
  mv.carried = (choices) => Object.assign({}, choices, Object.fromEntries(OF_PAGE.map((name) => [name,
    LISTS.includes(name) ? [] : ""])));

  /* What the address says of a table under `kind` (sort or search), after the table's name; null where it says nothing.
     */
  mv.recalled = function (kind, table) {
    const own = mv.choices()[kind].find((text) => text.startsWith(table + "|"));
    return own === undefined ? null : own.slice(table.length + 1);
  };

  mv.keepOf = function (kind, table, text) {
    const others = mv.choices()[kind].filter((one) => !one.startsWith(table + "|"));
    mv.remember({ [kind]: text ? others.concat(table + "|" + text) : others });
  };

  /* What row i of a table of points or trials is, by each kind of choice. */
  function nameOf(table, kind, i) {
    const labels = mv.get("labels");
    if (kind === "condition") return labels.conditions[table.condition[i]].name;
    if (kind === "family") return labels.contestants[table.contestant[i]].family;
    const dataset = labels.datasets[table.dataset[i]];
    return kind === "data" ? dataset.name : dataset[kind];
  }

  /* The rows of a table that are chosen by these kinds of choices. */
  mv.chosenRows = function (table, choices, kinds) {
    const sets = kinds.filter((kind) => choices[kind].length).map((kind) => [kind, new Set([].concat(choices[kind]))]);
    const rows = [];
    for (let i = 0; i < table.n; i++) if (sets.every((one) => one[1].has(nameOf(table, one[0], i)))) rows.push(i);
    return rows;
  };

  /* The choices above a page; on a phone they are behind one button. kinds: those that count here; more: further
     fields. */
  mv.filterBar = function (table, choices, kinds, more) {
    const labels = mv.get("labels");
    const bar = mv.el("form", { class: "filters", id: "filters", "aria-label": "What is shown",
      onsubmit: (event) => event.preventDefault() });
    const lists = { condition: ["Condition", labels.conditions.map((one) => [one.name, one.label])],
      kind: ["Data", labels.kinds.map((one) => [one, one])], size: ["Size", labels.sizes.map((one) => [one, one])] };
    const narrow = mv.button("Filters: " + mv.question(choices), () => {
      openOn = openOn === pathOf() ? null : pathOf();
      open();
    }, { class: "plain narrow-only", "aria-controls": "filters", "data-key": "filters" });
    const open = () => narrow.setAttribute("aria-expanded", String(bar.classList.toggle("open", openOn === pathOf())));
    open();
    bar.append(mv.select("Metric", labels.metrics.map((one) => [one.name, one.label]), choices.metric,
      (value) => mv.choose({ metric: value })));
    Object.keys(lists).filter((kind) => kinds.includes(kind) &&
      lists[kind][1].length > 1).forEach((kind) => bar.append(chips(kind, lists[kind], choices)));
    SEVERAL.filter((kind) => kinds.includes(kind)).forEach((kind) => bar.append(pickerOf(table, kind, choices) || ""));
    bar.append(...(more || []).filter(Boolean));
    if (kinds.some((kind) => choices[kind].length)) {
      bar.append(mv.button("Show all", () => mv.choose(Object.fromEntries(kinds.map((kind) => [kind,
        SEVERAL.includes(kind) ? [] : ""])))));
    }
    return mv.el("div", { class: "asked" }, narrow, bar);
  };

  /* One of several values, or all, each a click away. */
  function chips(kind, [word, values], choices) {
    return mv.el("div", { class: "chips", role: "group", "aria-label": word, "data-kind": kind },
      mv.el("span", {}, word), mv.el("div", {}, [["", "all"]].concat(values).map((one) => {
      const on = choices[kind] === one[0];
      return mv.button(one[1], () => mv.choose({ [kind]: on ? "" : one[0] }),
        { class: on ? "chip on" : "chip", "aria-pressed": String(on), "data-key": kind + " " + one[0] });
    })));
  }

  mv.select = function (word, options, value, changed) {
    const name = mv.fileName(word);
    const made = mv.el("select", { name: name, "data-key": "select " + name, onchange: () => changed(made.value) },
      options.map((one) => mv.el("option", { value: one[0], selected: one[0] === value }, one[1])));
    return mv.el("label", { class: "field" }, mv.el("span", {}, word), made);
  };

  function pickerOf(table, kind, choices) {
    const names = Array.from(new Set(mv.chosenRows(table, choices, []).map((i) => nameOf(table, kind, i))));
    if (names.length < 2) return null;
    names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const chosen = new Set(choices[kind].length ? choices[kind] : names);
    const boxes = names.map((name) => mv.el("input", { type: "checkbox", value: name, checked: chosen.has(name) }));
    const tick = (on) => () => boxes.forEach((box) => { box.checked = on; });
    const apply = () => {
      const on = boxes.filter((box) => box.checked).map((box) => box.value);
      if (on.length) mv.choose({ [kind]: on.length === names.length ? [] : on });
    };
    const labels = mv.get("labels");
    const labelOf = (name) => kind === "data" ? labels.datasets.find((one) => one.name === name).label : name;
    const count = choices[kind].length ? choices[kind].length + " of " + names.length : "all " + names.length;
    return mv.el("details", { class: "pick", "data-kind": kind, onkeydown: function (event) {
      if (event.key === "Escape") this.open = false;
    } },
      mv.el("summary", { "data-key": "pick " + kind }, WORDS[kind] + ": ", mv.el("b", {}, count)),
      mv.el("fieldset", {}, mv.el("legend", {}, WORDS[kind]),
        mv.el("div", { class: "boxes" }, names.map((name, i) => mv.el("label", {}, boxes[i], " ",
          mv.name(labelOf(name))))),
        mv.el("p", { class: "tools" }, mv.button("All", tick(true)), mv.button("None", tick(false)),
          mv.button("Apply", apply, { class: "go", "data-key": "pick " + kind })))); // its list is closed then
  }

  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.pick[open]").forEach((one) => {
      if (!one.contains(event.target)) one.open = false;
    });
  });
})((window.mvarena = window.mvarena || {}));
