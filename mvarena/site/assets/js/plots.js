/* Plots of numbers: points with intervals, scatter plots, lines, heat maps. Each returns an SVG element. */
(function (mv) {
  "use strict";

  /* One line per contestant: a marker at value and a whisker from low to high. rows: {label, contestant, value, low, high}. */
  mv.whiskers = function (rows, theme, axis) {
    const ink = mv.INK[theme];
    const left = 16 + Math.min(240, Math.max.apply(null, rows.map(function (row) { return mv.wide(mv.cut(row.label, 34)); })));
    const width = Math.max(620, left + 380);
    const step = rows.length > 60 ? 15 : 20;
    const height = 40 + step * rows.length;
    const ends = rows.reduce(function (all, row) { return all.concat([row.value, row.low, row.high].filter(Number.isFinite)); }, []);
    const scale = linear(Math.min.apply(null, ends), Math.max.apply(null, ends), left + 8, width - 24);
    const grid = scale.ticks.map(function (tick) {
      return [mv.s("line", { x1: scale(tick), x2: scale(tick), y1: 6, y2: height - 32, stroke: ink.faint }),
        mv.write(scale(tick), height - 18, tick, ink.muted, { "text-anchor": "middle", "font-size": 11 })];
    });
    const lines = rows.map(function (row, i) {
      const y = 14 + step * i;
      const whisker = Number.isFinite(row.low) ? mv.s("line", { x1: scale(row.low), x2: scale(row.high), y1: y, y2: y,
        stroke: mv.colourOf(row.contestant, theme), "stroke-width": 2, "stroke-linecap": "round", opacity: 0.55 }) : null;
      return mv.s("g", {}, mv.s("title", {}, row.title || row.label),
        mv.write(left - 8, y + 4, mv.cut(row.label, 34), ink.ink, { "text-anchor": "end" }), whisker,
        mv.marker(scale(row.value), y, row.contestant, theme, 4.2, row.hollow));
    });
    return mv.canvas(width, height, [grid, lines,
      mv.write((left + width) / 2, height - 3, axis, ink.muted, { "text-anchor": "middle", "font-size": 11 })]);
  };

  function linear(low, high, from, to, whole) {
    const pad = (high - low || Math.abs(high) || 1) * 0.04;
    const a = low - pad;
    const b = high + pad;
    const scale = function (value) { return from + ((value - a) / (b - a)) * (to - from); };
    scale.ticks = mv.ticks(a, b, 6).filter(function (tick) { return !whole || Number.isInteger(tick); });
    return scale;
  }

  function logarithmic(low, high, from, to) {
    const a = Math.log10(low) - 0.08;
    const b = Math.log10(high) + 0.08;
    const scale = function (value) { return from + ((Math.log10(value) - a) / (b - a || 1)) * (to - from); };
    scale.ticks = [];
    const steps = b - a > 3.5 ? [1] : b - a > 1.5 ? [1, 3] : [1, 2, 5];
    for (let power = Math.floor(a); power <= Math.ceil(b); power++) {
      steps.forEach(function (one) {
        const value = one * Math.pow(10, power);
        if (Math.log10(value) >= a && Math.log10(value) <= b) scale.ticks.push(Number(value.toPrecision(6)));
      });
    }
    return scale;
  }

  /* 86000000 as 8.6e7. */
  function short(tick) {
    const size = Math.abs(tick);
    return size !== 0 && (size >= 1e5 || size < 1e-3) ? String(Number(tick.toPrecision(6)).toExponential()).replace("e+", "e") : String(tick);
  }

  function axes(x, y, box, theme, words) {
    const ink = mv.INK[theme];
    const middle = { "text-anchor": "middle", "font-size": 11 };
    return [
      x.ticks.map(function (tick) {
        return [mv.s("line", { x1: x(tick), x2: x(tick), y1: box.top, y2: box.bottom, stroke: ink.faint }),
          mv.write(x(tick), box.bottom + 16, short(tick), ink.muted, middle)];
      }),
      y.ticks.map(function (tick) {
        return [mv.s("line", { x1: box.left, x2: box.right, y1: y(tick), y2: y(tick), stroke: ink.faint }),
          mv.write(box.left - 7, y(tick) + 4, short(tick), ink.muted, { "text-anchor": "end", "font-size": 11 })];
      }),
      mv.s("path", { d: "M" + box.left + " " + box.top + "V" + box.bottom + "H" + box.right, fill: "none", stroke: ink.line }),
      mv.write((box.left + box.right) / 2, box.bottom + 34, words.x, ink.muted, { "text-anchor": "middle" }),
      mv.s("text", { transform: "translate(14," + (box.top + box.bottom) / 2 + ") rotate(-90)", "text-anchor": "middle",
        fill: ink.muted }, words.y),
    ];
  }

  /* Quality against seconds. rows: {label, contestant, x, y, front, picked, title}. */
  mv.scatter = function (rows, theme, words) {
    const ink = mv.INK[theme];
    const box = { left: 62, top: 14, right: 640, bottom: 380 };
    const x = logarithmic(least(rows, "x"), most(rows, "x"), box.left + 10, box.right - 10);
    const y = linear(least(rows, "y"), most(rows, "y"), box.bottom - 8, box.top + 8);
    const front = rows.filter(function (row) { return row.front; }).sort(function (a, b) { return a.x - b.x; });
    const path = front.map(function (row, i) { return (i ? "L" : "M") + x(row.x).toFixed(1) + " " + y(row.y).toFixed(1); }).join("");
    const named = rows.length <= 14 ? rows : front;
    const labels = placed(named, x, y, box);
    const height = Math.max(box.bottom + 44, 24 + 17 * rows.length);
    const legend = rows.map(function (row, i) {
      const at = 20 + 17 * i;
      return [mv.marker(box.right + 26, at - 4, row.contestant, theme, 4, !row.front),
        mv.write(box.right + 38, at, mv.cut(row.label, 30), row.front ? ink.ink : ink.muted)];
    });
    const width = box.right + 48 + Math.min(220, Math.max.apply(null, rows.map(function (row) { return mv.wide(mv.cut(row.label, 30)); })));
    return mv.canvas(width, height, [axes(x, y, box, theme, words),
      mv.s("path", { d: path, fill: "none", stroke: ink.accent, "stroke-width": 1.4, opacity: 0.6 }),
      rows.map(function (row) {
        return mv.s("g", {}, mv.s("title", {}, row.title), mv.marker(x(row.x), y(row.y), row.contestant, theme, row.front ? 5.5 : 4.2, !row.front));
      }),
      labels.map(function (one) { return mv.write(one.x, one.y, one.text, ink.ink, { "font-size": 11, "text-anchor": one.anchor }); }),
      legend]);
  };

  /* Labels beside their points, where they do not lie on each other. */
  function placed(rows, x, y, box) {
    const taken = [];
    const found = [];
    rows.forEach(function (row) {
      const text = mv.cut(row.label, 24);
      const wide = 0.9 * mv.wide(text);
      [[9, 4, "start"], [-9, 4, "end"], [0, -9, "middle"], [0, 18, "middle"]].some(function (way) {
        const left = x(row.x) + way[0] - (way[2] === "end" ? wide : way[2] === "middle" ? wide / 2 : 0);
        const top = y(row.y) + way[1] - 9;
        const free = left >= box.left && left + wide <= box.right + 8 && top >= 0 && !taken.some(function (other) {
          return left < other[1] && left + wide > other[0] && top < other[3] && top + 12 > other[2];
        });
        if (free) {
          taken.push([left, left + wide, top, top + 12]);
          found.push({ x: x(row.x) + way[0], y: y(row.y) + way[1], anchor: way[2], text: text });
        }
        return free;
      });
    });
    return found;
  }

  function least(rows, name) {
    return Math.min.apply(null, rows.map(function (row) { return row[name]; }));
  }

  function most(rows, name) {
    return Math.max.apply(null, rows.map(function (row) { return row[name]; }));
  }

  /* Lines of a metric by rate, or of an objective by iteration. lines: {label, contestant, points: [[x, y], ...]}. */
  mv.lines = function (lines, theme, words) {
    const ink = mv.INK[theme];
    const points = lines.reduce(function (all, one) { return all.concat(one.points); }, []).map(function (one) {
      return { x: one[0], y: one[1] };
    });
    const box = { left: 66, top: 14, right: 560, bottom: 320 };
    const x = linear(least(points, "x"), most(points, "x"), box.left + 6, box.right - 6, words.whole);
    const y = linear(least(points, "y"), most(points, "y"), box.bottom - 6, box.top + 6);
    const drawn = lines.map(function (one) {
      const path = one.points.map(function (p, i) { return (i ? "L" : "M") + x(p[0]).toFixed(1) + " " + y(p[1]).toFixed(1); }).join("");
      return mv.s("g", {}, mv.s("title", {}, one.label),
        mv.s("path", { d: path, fill: "none", stroke: mv.colourOf(one.contestant, theme), "stroke-width": 1.8,
          "stroke-dasharray": mv.dash(one.contestant) }),
        one.points.length <= 30 ? one.points.map(function (p) { return mv.marker(x(p[0]), y(p[1]), one.contestant, theme, 3.4); }) : null);
    });
    const legend = lines.length < 2 ? null : lines.map(function (one, i) {
      const at = 20 + 17 * i;
      return [mv.s("line", { x1: box.right + 14, x2: box.right + 40, y1: at - 4, y2: at - 4, "stroke-width": 1.8,
        stroke: mv.colourOf(one.contestant, theme), "stroke-dasharray": mv.dash(one.contestant) }),
        mv.marker(box.right + 27, at - 4, one.contestant, theme, 3.4), mv.write(box.right + 48, at, mv.cut(one.label, 30), ink.ink)];
    });
    const wide = lines.length < 2 ? 10 : 60 + Math.max.apply(null, lines.map(function (one) { return mv.wide(mv.cut(one.label, 30)); }));
    return mv.canvas(box.right + wide, Math.max(box.bottom + 44, 24 + 17 * lines.length), [axes(x, y, box, theme, words), drawn, legend]);
  };

  /* A table of shares in [0, 1] as shades, with the numbers in the cells. rows, columns: names; values[r][c]; shown[r][c]. */
  mv.shades = function (rows, columns, values, shown, theme, words) {
    const ink = mv.INK[theme];
    const left = 34 + Math.min(200, Math.max.apply(null, rows.map(function (row) { return mv.wide(mv.cut(row, 28)); })));
    const cell = { w: Math.max(34, 14 + Math.max.apply(null, [].concat.apply([], shown).map(mv.wide))), h: 28 };
    const tall = 16 + Math.min(150, Math.max.apply(null, columns.map(function (one) { return mv.wide(mv.cut(one, 22)); })));
    const turned = columns.some(function (one) { return mv.wide(mv.cut(one, 22)) > cell.w - 4; });
    const top = turned ? tall + 18 : 40;
    const body = rows.map(function (row, r) {
      return [mv.write(left - 8, top + cell.h * r + 18, mv.cut(row, 28), ink.ink, { "text-anchor": "end" }),
        columns.map(function (_, c) {
          const value = values[r][c];
          const share = Math.max(0, Math.min(1, value));
          const strong = share > 0.55;
          return [mv.s("rect", { x: left + cell.w * c + 1, y: top + cell.h * r + 1, width: cell.w - 2, height: cell.h - 2, rx: 3,
            fill: Number.isFinite(value) ? ink.accent : "none", stroke: ink.faint, "fill-opacity": 0.06 + 0.84 * share }),
            mv.write(left + cell.w * (c + 0.5), top + cell.h * r + 18, shown[r][c],
              strong ? (theme === "dark" ? "#10131a" : "#ffffff") : ink.ink, { "text-anchor": "middle", "font-size": 11 })];
        })];
    });
    const heads = columns.map(function (one, c) {
      const x = left + cell.w * (c + 0.5);
      return turned
        ? mv.s("text", { transform: "translate(" + (x + 4).toFixed(1) + "," + (top - 8) + ") rotate(-60)", fill: ink.ink }, mv.cut(one, 22))
        : mv.write(x, top - 8, one, ink.ink, { "text-anchor": "middle" });
    });
    const width = Math.max(left + cell.w * columns.length + (turned ? tall / 2 : 12), 260);
    return mv.canvas(width, top + cell.h * rows.length + 10, [
      mv.write(left, 14, words.x, ink.muted, { "font-size": 11 }),
      mv.s("text", { transform: "translate(12," + (top + cell.h * rows.length / 2) + ") rotate(-90)", "text-anchor": "middle",
        "font-size": 11, fill: ink.muted }, words.y), heads, body]);
  };
})((window.mvarena = window.mvarena || {}));
