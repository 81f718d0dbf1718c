/* Tables that are sorted by a click on a head, shown a hundred rows at a time, and kept as CSV. */
(function (mv) {
  "use strict";
  const AT_ONCE = 100;

  /* every: the columns, {head, title, value(row), show(row), numeric, first} where value is what is sorted and saved; show makes
     what is seen; first "down" sorts from the largest at the first click; savedOnly is in the file alone; narrow: as wide
     as what it holds. rows: anything.
     options: name (of the file), sort ([column, "up" or "down"]), caption; search(row): the text of a row that is
     searched for what the reader types; first(row): whether it stands above the others. How a table is sorted and searched is
     kept in the address. */
  mv.table = function (every, rows, options) {
    const columns = every.filter(function (column) { return !column.savedOnly; });
    let sorted = recalledSort(columns, options);
    let wanted = options.search ? mv.recalled("search", options.name) || "" : "";
    let shown = AT_ONCE;
    const body = mv.el("tbody");
    const heads = columns.map(function (column, c) {
      const button = mv.el("button", { type: "button", class: "head", title: column.title || null,
        onclick: function () { turn(c); } }, column.head);
      return mv.el("th", { scope: "col", class: column.numeric ? "number" : null }, button);
    });
    const more = mv.el("button", { type: "button", class: "plain", onclick: function () { shown += 5 * AT_ONCE; fill(); } });
    const keep = mv.el("button", { type: "button", class: "plain", onclick: save }, "CSV");
    const table = mv.el("table", {}, options.caption ? mv.el("caption", {}, options.caption) : null,
      mv.el("thead", {}, mv.el("tr", {}, heads)), body);
    const frame = mv.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": options.caption || options.name },
      table);

    function turn(c) {
      const first = columns[c].first || "up";
      const other = first === "up" ? "down" : "up";
      sorted = [c, sorted && sorted[0] === c && sorted[1] === first ? other : first];
      mv.keepOf("sort", options.name, columns[c].head + "|" + sorted[1]);
      fill();
    }

    function ordered() {
      const kept = rows.filter(fits);
      if (!sorted) return above(kept);
      const column = columns[sorted[0]];
      const sign = sorted[1] === "up" ? 1 : -1;
      return above(kept.map(function (row, i) { return [column.value(row), i, row]; }).sort(function (a, b) {
        return compared(a[0], b[0], sign) || a[1] - b[1];
      }).map(function (one) { return one[2]; }));
    }

    function fits(row) {
      return !wanted || (options.first && options.first(row)) || options.search(row).toLowerCase().indexOf(wanted.toLowerCase()) >= 0;
    }

    function above(list) {
      if (!options.first) return list;
      return list.filter(options.first).concat(list.filter(function (row) { return !options.first(row); }));
    }

    function fill() {
      heads.forEach(function (head, c) {
        const own = sorted && sorted[0] === c;
        if (own) head.setAttribute("aria-sort", sorted[1] === "up" ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      const list = ordered();
      body.replaceChildren.apply(body, list.slice(0, shown).map(line));
      more.hidden = list.length <= shown;
      more.textContent = "Show more (" + shown + " of " + list.length.toLocaleString("en") + ")";
      found.textContent = wanted ? list.length + " of " + rows.length : "";
    }

    function line(row) {
      return mv.el("tr", {}, columns.map(function (column, c) {
        const content = column.show ? column.show(row) : column.value(row);
        const empty = content === null || content === undefined || content === "";
        return mv.el(c === 0 && !column.numeric ? "th" : "td", {
          class: column.numeric ? "number" : column.narrow ? "narrow" : null, scope: c === 0 && !column.numeric ? "row" : null,
        }, empty ? mv.el("span", { class: "none" }, mv.NONE) : content);
      }));
    }

    function save() {
      const head = every.map(function (column) { return column.head; });
      const lines = ordered().map(function (row) { return every.map(function (column) { return column.value(row); }); });
      mv.save(mv.fileName(options.name) + ".csv", "text/csv", mv.csv([head].concat(lines)));
    }

    const found = mv.el("span", { role: "status" });
    const box = !options.search ? null : mv.el("input", { type: "search", placeholder: "Search", value: wanted,
      "aria-label": "Search in " + (options.caption || options.name), oninput: function () {
        wanted = box.value.trim();
        mv.keepOf("search", options.name, wanted);
        fill();
      } });
    fill();
    return mv.el("div", { class: "table" }, box ? mv.el("p", { class: "search" }, box, " ", found) : null, frame,
      mv.el("p", { class: "tools" }, more, keep));
  };

  /* The sorting that the address holds, by the head of a column; else that of the page. */
  function recalledSort(columns, options) {
    const parts = (mv.recalled("sort", options.name) || "").split("|");
    const c = columns.findIndex(function (column) { return column.head === parts[0]; });
    return c >= 0 && (parts[1] === "up" || parts[1] === "down") ? [c, parts[1]] : options.sort || null;
  }

  /* Numbers before texts, and what is missing last, in either direction. */
  function compared(a, b, sign) {
    const gone = [missing(a), missing(b)];
    if (gone[0] || gone[1]) return gone[0] - gone[1];
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function missing(value) {
    return value === null || value === undefined || value === "" || Number.isNaN(value) ? 1 : 0;
  }
})((window.mvarena = window.mvarena || {}));
