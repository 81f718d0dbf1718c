/* Plots of numbers: points with intervals, scatter plots, lines, heat maps. Each returns an SVG element. */
(function (mv) {
  "use strict";

  /* One line per contestant: a marker at value and a whisker from low to high. rows: {label, contestant, value, low, high, title}. */
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
      return mv.s("g", {}, mv.s("title", {}, row.title),
        mv.write(left - 8, y + 4, mv.cut(row.label, 34), ink.ink, { "text-anchor": "end" }), whisker,
        mv.marker(scale(row.value), y, row.contestant, theme, 4.2));
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
    const named = rows.length <= 14 ? rows : front; // of many, those of the front; others by the pointer
    const labels = placed(named, x, y, box);
    const legend = named.map(function (row, i) {
      const at = 20 + 17 * i;
      return [mv.marker(box.right + 26, at - 4, row.contestant, theme, 4, !row.front),
        mv.write(box.right + 38, at, mv.cut(row.label, 30), row.front ? ink.ink : ink.muted)];
    });
    const width = box.right + 48 + Math.min(220, Math.max.apply(null, named.map(function (row) { return mv.wide(mv.cut(row.label, 30)); })));
    const height = Math.max(box.bottom + 44, 24 + 17 * named.length);
    return mv.canvas(width, height, [axes(x, y, box, theme, words),
      mv.s("path", { d: path, fill: "none", stroke: ink.accent, "stroke-width": 1.4, opacity: 0.6 }),
      rows.map(function (row) {
        const isNamed = labels.some(function (one) { return one.row === row; });
        return mv.s("g", { class: "spot" }, mv.s("title", {}, row.title), isNamed ? null : pointed(x(row.x), y(row.y) - 9, row.label, ink, box), mv.marker(x(row.x), y(row.y), row.contestant, theme, row.front ? 5.5 : 4.2, !row.front));
      }),
      labels.map(function (one) { return mv.write(one.x, one.y, one.text, ink.ink, { "font-size": 11, "text-anchor": one.anchor }); }),
      legend]);
  };

  /* A name that shows while the pointer is on what it belongs to. */
  function pointed(x, y, label, ink, box) {
    const text = mv.cut(label, 30);
    const half = mv.wide(text) / 2;
    return mv.write(Math.max(box.left + half, Math.min(box.right - half, x)), Math.max(12, y), text, ink.ink,
      { "text-anchor": "middle", "font-size": 11, "font-weight": 700, visibility: "hidden" });
  }

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
          found.push({ row: row, x: x(row.x) + way[0], y: y(row.y) + way[1], anchor: way[2], text: text });
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
    const scale = words.logarithmic ? logarithmic : linear;
    const x = scale(least(points, "x"), most(points, "x"), box.left + 6, box.right - 6, words.whole);
    const y = scale(least(points, "y"), most(points, "y"), box.bottom - 6, box.top + 6);
    const many = lines.length > 14; // families by colour, names by the pointer
    const families = !many ? [] : Array.from(new Set(lines.map(function (one) { return one.contestant.family; }))).sort();
    const drawn = lines.map(function (one) {
      const path = one.points.map(function (p, i) { return (i ? "L" : "M") + x(p[0]).toFixed(1) + " " + y(p[1]).toFixed(1); }).join("");
      const last = one.points[one.points.length - 1];
      return mv.s("g", { class: "spot" }, mv.s("title", {}, one.label), many ? pointed(x(last[0]), y(last[1]) - 8, one.label, ink, box) : null,
        many ? [mv.s("path", { d: path, fill: "none", stroke: mv.HUES[theme][mv.familyHue(one.contestant.family)], "stroke-width": 1, opacity: 0.55 }),
          one.points.map(function (p) { return mv.s("circle", { cx: x(p[0]), cy: y(p[1]), r: 2.2, fill: mv.HUES[theme][mv.familyHue(one.contestant.family)] }); })]
          : mv.s("path", { d: path, fill: "none", stroke: mv.colourOf(one.contestant, theme), "stroke-width": 1.8,
            "stroke-dasharray": mv.dash(one.contestant) }),
        !many && one.points.length <= 30 ? one.points.map(function (p) { return mv.marker(x(p[0]), y(p[1]), one.contestant, theme, 3.4); }) : null);
    });
    const legend = lines.length < 2 ? null : many ? families.map(function (family, i) {
      const at = 20 + 17 * i;
      return [mv.s("line", { x1: box.right + 14, x2: box.right + 40, y1: at - 4, y2: at - 4, "stroke-width": 2,
        stroke: mv.HUES[theme][mv.familyHue(family)] }), mv.write(box.right + 48, at, family || "not installed", ink.ink)];
    }) : lines.map(function (one, i) {
      const at = 20 + 17 * i;
      return [mv.s("line", { x1: box.right + 14, x2: box.right + 40, y1: at - 4, y2: at - 4, "stroke-width": 1.8,
        stroke: mv.colourOf(one.contestant, theme), "stroke-dasharray": mv.dash(one.contestant) }),
        mv.marker(box.right + 27, at - 4, one.contestant, theme, 3.4), mv.write(box.right + 48, at, mv.cut(one.label, 30), ink.ink)];
    });
    const wide = lines.length < 2 ? 10 : many ? 170 : 60 + Math.max.apply(null, lines.map(function (one) { return mv.wide(mv.cut(one.label, 30)); }));
    return mv.canvas(box.right + wide, Math.max(box.bottom + 44, many ? 0 : 24 + 17 * lines.length), [axes(x, y, box, theme, words), drawn, legend]);
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

  /* Bars from the left, a name and a number each. rows: [name, number]. */
  mv.bars = function (rows, theme, axis) {
    const ink = mv.INK[theme];
    const left = 16 + Math.min(200, Math.max.apply(null, rows.map(function (row) { return mv.wide(mv.cut(row[0], 28)); })));
    const most = Math.max.apply(null, rows.map(function (row) { return row[1]; }));
    const step = rows.length > 12 ? 13 : 20;
    const width = 320;
    return mv.canvas(left + width + 90, 24 + step * rows.length, [rows.map(function (row, i) {
      const long = Math.max(1, width * row[1] / most);
      const small = { "font-size": step < 20 ? 10 : 12 };
      return [mv.write(left - 8, 12 + step * i, mv.cut(row[0], 28), ink.ink, Object.assign({ "text-anchor": "end" }, small)),
        mv.s("rect", { x: left, y: 2 + step * i, width: long, height: step - 5, rx: 2, fill: ink.accent, opacity: 0.75 }),
        mv.write(left + long + 6, 12 + step * i, row[1].toLocaleString("en"), ink.muted, small)];
    }), mv.write(left, 18 + step * rows.length, axis, ink.muted, { "font-size": 11 })]);
  };

  /* Groups of dots below each other, with a line at `mark`. groups: [name, [{value, contestant}]]. */
  mv.dots = function (groups, mark, theme, axis) {
    const ink = mv.INK[theme];
    const left = 24 + Math.min(220, Math.max.apply(null, groups.map(function (group) { return mv.wide(mv.cut(group[0], 30)); })));
    const values = [].concat.apply(mark === null ? [] : [mark], groups.map(function (group) {
      return group[1].map(function (one) { return one.value; });
    }));
    const step = 26;
    const bottom = 10 + step * groups.length;
    const x = linear(Math.min.apply(null, values), Math.max.apply(null, values), left, 620);
    const grid = x.ticks.map(function (tick) {
      return [mv.s("line", { x1: x(tick), x2: x(tick), y1: 4, y2: bottom, stroke: ink.faint }),
        mv.write(x(tick), bottom + 14, tick, ink.muted, { "text-anchor": "middle", "font-size": 11 })];
    });
    const box = { left: left, right: 640 };
    return mv.canvas(660, bottom + 36, [grid, groups.map(function (group, g) {
      const y = 18 + step * g;
      return [mv.write(left - 12, y + 4, mv.cut(group[0], 30), ink.ink, { "text-anchor": "end" }), group[1].map(function (one, i) {
        const at = y + 3.2 * ((i % 5) - 2); // so that equal scores do not hide each other
        return mv.s("g", { class: "spot" }, mv.s("title", {}, one.contestant.label + ": " + Number(one.value.toPrecision(4))),
          mv.s("circle", { cx: x(one.value), cy: at, r: 3.6, fill: mv.HUES[theme][mv.familyHue(one.contestant.family)], "fill-opacity": 0.7 }),
          pointed(x(one.value), at - 7, one.contestant.label, ink, box));
      })];
    }), mark === null ? null : mv.s("line", { x1: x(mark), x2: x(mark), y1: 4, y2: bottom, stroke: ink.bad, "stroke-width": 1.6 }),
    mv.write((left + 620) / 2, bottom + 30, axis, ink.muted, { "text-anchor": "middle", "font-size": 11 })]);
  };

  /* Ranks of one contestant, a line for each corpus. rows: {corpus, rank}; k: how many were ranked. */
  mv.strip = function (rows, k, mean, contestant, theme) {
    const ink = mv.INK[theme];
    const left = 20 + Math.min(220, Math.max.apply(null, rows.map(function (row) { return mv.wide(mv.cut(row.corpus, 30)); })));
    const step = 18;
    const bottom = 8 + step * rows.length;
    const x = linear(1, k, left, 600);
    const ticks = [1].concat(x.ticks.filter(function (tick) { return tick > 1 && tick < k && tick % 1 === 0; }), [k]);
    return mv.canvas(640, bottom + 34, [
      ticks.map(function (tick) { return mv.write(x(tick), bottom + 14, tick, ink.muted, { "text-anchor": "middle", "font-size": 11 }); }),
      mv.s("line", { x1: x(mean), x2: x(mean), y1: 2, y2: bottom, stroke: ink.accent, "stroke-dasharray": "4 3" }),
      rows.map(function (row, i) {
        const y = 12 + step * i;
        return mv.s("g", {}, mv.s("title", {}, row.corpus + ": rank " + row.rank),
          mv.write(left - 12, y + 4, mv.cut(row.corpus, 30), ink.ink, { "text-anchor": "end" }),
          mv.s("line", { x1: x(1), x2: x(k), y1: y, y2: y, stroke: ink.faint }),
          mv.marker(x(row.rank), y, contestant, theme, 4.2));
      }),
      mv.write((left + 600) / 2, bottom + 30, "rank", ink.muted, { "text-anchor": "middle", "font-size": 11 })]);
  };
})((window.mvarena = window.mvarena || {}));
