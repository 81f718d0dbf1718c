/* Plots of numbers, as wide as there is room: points with intervals, scatter plots, lines, dots. Each returns an SVG
   element. */
(function (mv) {
  "use strict";
  const SMALL = { "font-size": 11 };
  const MIDDLE = { "text-anchor": "middle", "font-size": 11 };
  const END = { "text-anchor": "end" };

  /* Width of a figure in the page, in pixels. */
  function room() {
    return Math.max(300, Math.min(1160,
      document.documentElement.clientWidth - (document.documentElement.clientWidth <= 640 ? 50 : 84)));
  }

  /* Room for names on the left, at most a third of the figure. */
  function margin(names, width) {
    const most = Math.floor((width / 3) / 7.3);
    const short = mv.cuts(names, most);
    return { left: 16 + Math.max(...names.map((name) => mv.wide(short.get(name)))), cut: (name) => short.get(name) };
  }

  const range = (values) => [Math.min(...values), Math.max(...values)];

  function linear([low, high], from, to) {
    const pad = (high - low || Math.abs(high) || 1) * 0.04;
    const scale = (value) => from + ((value - low + pad) / (high - low + 2 * pad)) * (to - from);
    const count = Math.max(2, Math.min(6, Math.floor(Math.abs(to - from) / 60)));
    const ticks = [count, 2 * count].map((most) => mv.ticks(low - pad, high + pad, most));
    scale.ticks = ticks[ticks[0].length < 2 ? 1 : 0];
    return scale;
  }

  function logarithmic([low, high], from, to) {
    const a = Math.log10(low) - 0.08;
    const b = Math.log10(high) + 0.08;
    const scale = (value) => from + ((Math.log10(value) - a) / (b - a)) * (to - from);
    const steps = b - a > 3.5 ? [1] : b - a > 1.5 ? [1, 3] : [1, 2, 5];
    scale.ticks = [];
    for (let power = Math.floor(a); power <= Math.ceil(b); power++) {
      scale.ticks.push(...steps.map((one) => Number((one * Math.pow(10,
        power)).toPrecision(6))).filter((value) => Math.log10(value) >= a && Math.log10(value) <= b));
    }
    if (scale.ticks.length < 2) scale.ticks = mv.ticks(Math.pow(10, a), Math.pow(10, b), 4);
    return scale;
  }

  /* 86000000 as 8.6e7. */
  function short(tick) {
    const size = Math.abs(tick);
    return size !== 0 && (size >= 1e5 || size < 1e-3)
      ? String(Number(tick.toPrecision(6)).toExponential()).replace("e+", "e") : String(tick);
  }

  /* Vertical lines at the ticks, their numbers and the name of the axis below. */
  function floor(x, top, bottom, word, middle, ink) {
    return [x.ticks.map((tick) => [mv.s("line", { x1: x(tick), x2: x(tick), y1: top, y2: bottom, stroke: ink.faint }),
      mv.write(x(tick), bottom + 15, short(tick), ink.muted, MIDDLE)]),
      mv.write(middle, bottom + 31, word, ink.muted, MIDDLE)];
  }

  function axes(x, y, box, ink, words) {
    return [floor(x, box.top, box.bottom, words.x, (box.left + box.right) / 2, ink),
      y.ticks.map((tick) => [mv.s("line", { x1: box.left, x2: box.right, y1: y(tick), y2: y(tick), stroke: ink.faint }),
        mv.write(box.left - 7, y(tick) + 4, short(tick), ink.muted, Object.assign({}, SMALL, END))]),
      mv.s("path", { d: "M" + box.left + " " + box.top + "V" + box.bottom + "H" + box.right, fill: "none",
        stroke: ink.line }),
      mv.s("text", { transform: "translate(12," + (box.top + box.bottom) / 2 + ") rotate(-90)", "text-anchor": "middle",
        "font-size": 11, fill: ink.muted }, words.y)];
  }

  /* One line per contestant: a marker at value and a whisker from low to high. rows: {label, contestant, value, low,
     high, title}. */
  mv.whiskers = function (rows, theme, axis) {
    const ink = mv.INK[theme];
    const width = room();
    const { left, cut } = margin(rows.map((row) => row.label), width);
    const step = rows.length > 30 ? 16 : 20;
    const bottom = 8 + step * rows.length;
    const x = linear(range(rows.flatMap((row) => [row.value, row.low, row.high]).filter(Number.isFinite)), left + 8,
      width - 20);
    return mv.canvas(width, bottom + 38, [floor(x, 4, bottom, axis, (left + width) / 2, ink), rows.map((row, i) => {
      const y = 12 + step * i;
      return mv.s("g", {}, mv.s("title", {}, row.title), mv.write(left - 8, y + 4, cut(row.label), ink.ink, END),
        Number.isFinite(row.low) ? mv.s("line", { x1: x(row.low), x2: x(row.high), y1: y, y2: y,
          stroke: mv.colourOf(row.contestant, theme), "stroke-width": 2, "stroke-linecap": "round", opacity: 0.55 })
          : null,
        mv.marker(x(row.value), y, row.contestant, theme, 4.2));
    })]);
  };

  /* Entries of a legend in columns below a plot: {mark(x, y), text, colour}. */
  function legend(entries, top, width, ink) {
    if (!entries.length) return { drawn: null, height: 0 };
    const wide = 34 + Math.min(width / 2 - 34, Math.max(...entries.map((one) => mv.wide(one.text))));
    const columns = Math.max(1, Math.floor(width / wide));
    const rows = Math.ceil(entries.length / columns);
    const short = mv.cuts(entries.map((one) => one.text), Math.round((wide - 34) / 7.3));
    const drawn = entries.map((one, i) => {
      const x = 14 + wide * Math.floor(i / rows);
      const y = top + 17 * (i % rows);
      return [one.mark(x, y - 4), mv.write(x + 20, y, short.get(one.text), one.colour || ink.ink, SMALL)];
    });
    return { drawn: drawn, height: 17 * rows + 6 };
  }

  /* Quality against seconds. rows: {label, contestant, x, y, front, title}. */
  mv.scatter = function (rows, theme, words) {
    const ink = mv.INK[theme];
    const width = room();
    const box = { left: 52, top: 14, right: width - 16, bottom: Math.min(400, 0.8 * width) };
    const x = logarithmic(range(rows.map((row) => row.x)), box.left + 10, box.right - 10);
    const y = linear(range(rows.map((row) => row.y)), box.bottom - 8, box.top + 8);
    const front = rows.filter((row) => row.front).sort((a, b) => a.x - b.x);
    const path = front.map((row, i) => (i ? "L" : "M") + x(row.x).toFixed(1) + " " + y(row.y).toFixed(1)).join("");
    const spots = rows.map((row) => [x(row.x), y(row.y)]);
    const labels = placed(rows.length <= 14 ? rows : front, spots, x, y, box); // of many, those of the front
    const families = Array.from(new Set(rows.map((row) => row.contestant.family))).sort();
    const below = legend(families.map((family) => ({ text: family, mark: (cx, cy) => mv.s("circle",
      { cx: cx + 6, cy: cy, r: 4, fill: mv.HUES[theme][mv.familyHue(family)] }) })), box.bottom + 56, width, ink);
    return mv.canvas(width, box.bottom + 44 + below.height, [axes(x, y, box, ink, words),
      mv.s("path", { d: path, fill: "none", stroke: ink.accent, "stroke-width": 1.4, opacity: 0.6 }),
      rows.map((row) => {
        const colour = mv.HUES[theme][mv.familyHue(row.contestant.family)];
        return mv.s("g", { class: "spot" }, mv.s("title", {}, row.title), labels.some((one) => one.row === row) ? null
          : pointed(x(row.x), y(row.y) - 9, row.label, ink, box),
          mv.s("circle", { cx: x(row.x), cy: y(row.y), r: row.front ? 5.5 : 4.2, fill: row.front ? colour : ink.panel,
            stroke: colour, "stroke-width": 1.5 }));
      }),
      labels.map((one) => mv.write(one.x, one.y, one.text, ink.ink, { "font-size": 11, "text-anchor": one.anchor })),
        below.drawn]);
  };

  /* A name that shows while the pointer is on what it belongs to. */
  function pointed(x, y, label, ink, box) {
    const text = mv.cut(label, 30);
    const half = mv.wide(text) / 2;
    return mv.write(Math.max(box.left + half, Math.min(box.right - half, x)), Math.max(12, y), text, ink.ink,
      { "text-anchor": "middle", "font-size": 11, "font-weight": 700, visibility: "hidden" });
  }

  /* Labels beside their points, where they lie neither on each other nor on a spot; others are shown by the pointer. */
  function placed(rows, spots, x, y, box) {
    const taken = spots.map(([left, top]) => [left - 3, left + 3, top - 3, top + 3]);
    const found = [];
    rows.forEach((row) => {
      const text = mv.cut(row.label, 24);
      const wide = 0.9 * mv.wide(text);
      [[9, 4, "start"], [-9, 4, "end"], [0, -9, "middle"], [0, 18, "middle"], [7, -6, "start"], [-7, -6, "end"],
        [7, 15, "start"], [-7, 15, "end"]].some(([dx, dy, anchor]) => {
        const left = x(row.x) + dx - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
        const top = y(row.y) + dy - 9;
        const free = left >= box.left && left + wide <= box.right + 8 && top >= 0 &&
          !taken.some((other) => left < other[1] && left + wide > other[0] && top < other[3] && top + 12 > other[2]);
        if (!free) return false;
        taken.push([left, left + wide, top, top + 12]);
        found.push({ row: row, x: x(row.x) + dx, y: y(row.y) + dy, anchor: anchor, text: text });
        return true;
      });
    });
    return found;
  }

  /* Lines of a metric by rate. lines: {label, contestant, points: [[x, y], ...]}. */
  mv.lines = function (lines, theme, words) {
    const ink = mv.INK[theme];
    const width = room();
    const box = { left: 56, top: 14, right: width - 16, bottom: Math.min(320, 0.8 * width) };
    const points = lines.flatMap((one) => one.points);
    const x = linear(range(points.map((one) => one[0])), box.left + 6, box.right - 6);
    const y = linear(range(points.map((one) => one[1])), box.bottom - 6, box.top + 6);
    const many = lines.length > 14; // families by colour, names by the pointer
    const hue = (family) => mv.HUES[theme][mv.familyHue(family)];
    const stroke = (one) => many ? { stroke: hue(one.contestant.family), "stroke-width": 1, opacity: 0.55 }
      : { stroke: mv.colourOf(one.contestant, theme), "stroke-width": 1.8,
      "stroke-dasharray": mv.dash(one.contestant) };
    const drawn = lines.map((one) => {
      const path = one.points.map((p, i) => (i ? "L" : "M") + x(p[0]).toFixed(1) + " " + y(p[1]).toFixed(1)).join("");
      const last = one.points[one.points.length - 1];
      const dots = many ? (p) => mv.s("circle", { cx: x(p[0]), cy: y(p[1]), r: 2.2, fill: hue(one.contestant.family) })
        : (p) => mv.marker(x(p[0]), y(p[1]), one.contestant, theme, 3.4);
      return mv.s("g", { class: "spot" }, mv.s("title", {}, one.label), many
        ? pointed(x(last[0]), y(last[1]) - 8, one.label, ink, box) : null,
        mv.s("path", Object.assign({ d: path, fill: "none" }, stroke(one))), one.points.length <= 30
          ? one.points.map(dots) : null);
    });
    const bar = (look) => (cx, cy) => mv.s("line", Object.assign({ x1: cx, x2: cx + 16, y1: cy, y2: cy }, look));
    const families = Array.from(new Set(lines.map((one) => one.contestant.family))).sort();
    const entries = lines.length < 2 ? [] : many ? families.map((family) => ({ text: family,
      mark: bar({ stroke: hue(family), "stroke-width": 2 }) }))
      : lines.map((one) => ({ text: one.label, mark: (cx, cy) => [bar(stroke(one))(cx, cy),
        mv.marker(cx + 8, cy, one.contestant, theme, 3.4)] }));
    const below = legend(entries, box.bottom + 56, width, ink);
    return mv.canvas(width, box.bottom + 44 + below.height, [axes(x, y, box, ink, words), drawn, below.drawn]);
  };

  /* Groups of dots below each other, with a line at `mark`. groups: [name, [{value, contestant}]]. */
  mv.dots = function (groups, mark, theme, axis) {
    const ink = mv.INK[theme];
    const width = room();
    const { left, cut } = margin(groups.map((group) => group[0]), width);
    const bottom = 10 + 26 * groups.length;
    const x = linear(range(groups.flatMap((group) => group[1].map((one) => one.value)).concat(mark === null ? []
      : [mark])), left + 8, width - 20);
    const box = { left: left, right: width };
    return mv.canvas(width, bottom + 36, [floor(x, 4, bottom, axis, (left + width) / 2, ink),
      groups.map(([name, own], g) => {
      const y = 18 + 26 * g;
      return [mv.write(left - 8, y + 4, cut(name), ink.ink, END), own.map((one, i) => {
        const at = y + 3.2 * ((i % 5) - 2); // so that equal scores do not hide each other
        return mv.s("g", { class: "spot" }, mv.s("title", {}, one.contestant.label + ": " +
          Number(one.value.toPrecision(4))),
          mv.s("circle", { cx: x(one.value), cy: at, r: 3.6, fill: mv.HUES[theme][mv.familyHue(one.contestant.family)],
            "fill-opacity": 0.7 }), pointed(x(one.value), at - 7, one.contestant.label, ink, box));
      })];
    }), mark === null ? null : mv.s("line", { x1: x(mark), x2: x(mark), y1: 4, y2: bottom, stroke: ink.bad,
      "stroke-width": 1.6 })]);
  };
})((window.mvarena = window.mvarena || {}));
