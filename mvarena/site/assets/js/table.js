/* Tables that are sorted by a click on a head, shown a hundred rows at a time, and kept as CSV, as LaTeX or in the
   clipboard. */
(function (mv) {
  "use strict";
  const AT_ONCE = 100;

  /* every: the columns, {head, title, value(row), text(row), show(row), numeric, first, saved, savedOnly, narrow,
     after(row)}. value is what is sorted and kept as CSV, text what is kept as LaTeX and copied (else the value), show
     makes what is seen (else the text). first "down" sorts from the largest at the first click; saved: the head in the
     CSV, false for what no file has; savedOnly is in the CSV alone; narrow: as wide as what it holds; after: whether a
     row is sorted behind all others.
     options: name (of the file), sort ([column, "up" or "down"]), caption; search(row): the text of a row that is
     searched; first(row): whether it stands above the others; below(): an element right under these; tools: more
     buttons. How a table is sorted and searched is kept in the address. */
  mv.table = function (every, rows, options) {
    const columns = every.filter((column) => !column.savedOnly);
    const told = columns.filter((column) => column.saved !== false);
    let sorted = recalledSort(columns, options);
    let wanted = options.search ? mv.recalled("search", options.name) || "" : "";
    let shown = AT_ONCE;
    const body = mv.el("tbody");
    const heads = columns.map((column, c) => mv.el("th", { scope: "col", class: column.numeric ? "number" : null },
      mv.el("button", { type: "button", class: "head", title: column.title || null, onclick: () => turn(c) },
        column.head)));
    const more = mv.button("", () => {
      const next = shown;
      shown += 5 * AT_ONCE;
      fill();
      if (!more.hidden || next >= body.rows.length) return;
      body.rows[next].tabIndex = -1;
      body.rows[next].focus(); // the button has gone
    });
    const copied = () => texts().map((line) => line.map(mv.guarded).join("\t") + "\n").join("");
    const copy = mv.button("Copy", () => mv.copy(copied(), copy),
      { title: "Copy the rows that are shown, as text with tabs" });
    const table = mv.el("table", {}, options.caption
      ? mv.el("caption", {}, mv.el("span", {}, options.caption)) : null,
      mv.el("thead", {}, mv.el("tr", {}, heads)), body);
    const found = mv.el("span", { role: "status" });

    function turn(c) {
      const first = columns[c].first || "up";
      const other = first === "up" ? "down" : "up";
      sorted = [c, sorted && sorted[0] === c && sorted[1] === first ? other : first];
      mv.keepOf("sort", options.name, columns[c].head + "|" + sorted[1]);
      fill();
    }

    function ordered() {
      const kept = rows.filter((row) => !wanted || isFirst(row) ||
        options.search(row).toLowerCase().includes(wanted.toLowerCase()));
      if (sorted) {
        const column = columns[sorted[0]];
        const key = (row) => [column.after && column.after(row) ? 1 : 0, column.value(row)];
        const sign = sorted[1] === "up" ? 1 : -1;
        kept.sort((a, b) => key(a)[0] - key(b)[0] || compared(key(a)[1], key(b)[1], sign));
      }
      return kept.filter(isFirst).concat(kept.filter((row) => !isFirst(row)));
    }

    function isFirst(row) {
      return Boolean(options.first && options.first(row));
    }

    function fill() {
      heads.forEach((head, c) => {
        if (sorted && sorted[0] === c) head.setAttribute("aria-sort", sorted[1] === "up" ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      const list = ordered();
      const lines = list.slice(0, shown).map(line);
      const below = options.below && options.below();
      const refocus = mv.heldFocus();
      if (below) lines.splice(list.filter(isFirst).length, 0, mv.el("tr", { class: "below" },
        mv.el("td", { colspan: columns.length }, below)));
      body.replaceChildren(...lines);
      refocus();
      more.hidden = list.length <= shown;
      more.textContent = "Show more (" + shown + " of " + list.length.toLocaleString("en") + ")";
      found.textContent = wanted ? list.length + " of " + rows.length : "";
    }

    function line(row) {
      return mv.el("tr", {}, columns.map((column, c) => {
        const content = column.show ? column.show(row) : textOf(column, row);
        const head = c === 0 && !column.numeric;
        return mv.el(head ? "th" : "td", { class: column.numeric ? "number" : column.narrow ? "narrow" : null,
          scope: head ? "row" : null },
          missing(content) ? mv.el("span", { class: "none" }, mv.NONE) : content);
      }));
    }

    function texts() {
      return [told.map((column) => column.head)].concat(ordered().slice(0,
        shown).map((row) => told.map((column) => textOf(column, row))));
    }

    function csv() {
      const kept = every.filter((column) => column.saved !== false);
      const lines = ordered().map((row) => kept.map((column) => column.value(row)));
      mv.save(mv.fileName(options.name) + ".csv", "text/csv",
        mv.csv([kept.map((column) => column.saved || column.head)].concat(lines)));
    }

    function latex() {
      const [names, ...lines] = texts();
      mv.save(mv.fileName(options.name) + ".tex", "application/x-tex", mv.latex(names, lines,
        told.map((column) => column.numeric)));
    }

    const box = !options.search ? null : mv.el("input", { type: "search", placeholder: "Search", value: wanted,
      "data-key": "search " + options.name,
      "aria-label": "Search in " + (options.caption || options.name), oninput: () => {
        wanted = box.value.trim();
        mv.keepOf("search", options.name, wanted);
        fill();
      } });
    fill();
    const made = mv.el("div", { class: "table" }, mv.el("div", { class: "tools above" }, box
      ? mv.el("span", { class: "search" }, box, " ", found) : null, options.tools),
      mv.scroller(table, options.caption || options.name), mv.el("p", { class: "tools" }, more, mv.button("CSV", csv),
        mv.button("LaTeX", latex, { title: "The rows that are shown, for the package booktabs" }), copy));
    made.redraw = fill;
    return made;
  };

  /* A column of a metric's values, the better ones first; more: what it has beside its head. */
  mv.scoreColumn = (metric, more) => Object.assign({ head: metric.axis, saved: metric.name, numeric: true,
    first: metric.higher ? "down" : "up" }, more);

  function textOf(column, row) {
    const value = column.text ? column.text(row) : column.value(row);
    return missing(value) ? "" : String(value);
  }

  /* The sorting that the address holds, by the head of a column; else that of the page. */
  function recalledSort(columns, options) {
    const parts = (mv.recalled("sort", options.name) || "").split("|");
    const c = columns.findIndex((column) => column.head === parts[0]);
    return c >= 0 && (parts[1] === "up" || parts[1] === "down") ? [c, parts[1]] : options.sort || null;
  }

  /* Numbers before texts, and what is missing last, in either direction. */
  function compared(a, b, sign) {
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function missing(value) {
    return value === null || value === undefined || value === "" || Number.isNaN(value);
  }
})((window.mvarena = window.mvarena || {}));
