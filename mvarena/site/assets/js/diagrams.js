/* The critical-difference diagram and the comparison matrix. */
(function (mv) {
  "use strict";

  /* Mean ranks on a line; who cannot be told apart is joined. names in the order of the standings. */
  mv.rankDiagram = function (table, names, groups, theme) {
    const ink = mv.INK[theme];
    const labels = mv.get("labels");
    const k = names.length;
    const wide = Math.min(230, Math.max.apply(null, names.map(function (name) { return mv.wide(mv.cut(name, 30)); })));
    const box = { left: wide + 80, right: wide + 80 + Math.max(340, Math.min(560, 26 * k)) };
    const x = function (rank) { return box.left + ((rank - 1) / Math.max(1, k - 1)) * (box.right - box.left); };
    const bars = groups.map(function (group, i) {
      const y = 44 + 8 * i;
      return mv.s("line", { x1: x(table.meanRanks[group[0]]) - 4, x2: x(table.meanRanks[group[1]]) + 4, y1: y, y2: y,
        stroke: ink.ink, "stroke-width": 3.5, "stroke-linecap": "round" });
    });
    const top = 56 + 8 * groups.length;
    const half = Math.ceil(k / 2);
    const arms = names.map(function (name, i) {
      const rank = table.meanRanks[i];
      const onLeft = i < half;
      const y = top + 19 * (onLeft ? i : k - 1 - i);
      const end = onLeft ? box.left - 14 : box.right + 14;
      const text = mv.cut(name, 30);
      const shown = rank.toFixed(2);
      return mv.s("g", {}, mv.s("title", {}, name + ": mean rank " + shown),
        mv.s("path", { d: "M" + x(rank).toFixed(1) + " 34V" + y + "H" + end, fill: "none", stroke: ink.muted, "stroke-width": 0.9 }),
        mv.marker(x(rank), 34, labels.contestants[table.contestants[i]], theme, 3.6),
        mv.write(onLeft ? end - 46 : end + 46, y + 4, text, ink.ink, { "text-anchor": onLeft ? "end" : "start" }),
        mv.write(onLeft ? end - 5 : end + 5, y + 4, shown, ink.muted, { "text-anchor": onLeft ? "end" : "start", "font-size": 11 }));
    });
    const every = Math.max(1, Math.ceil(k / 16));
    const ticks = [];
    for (let rank = 1; rank <= k; rank += every) {
      ticks.push(mv.s("line", { x1: x(rank), x2: x(rank), y1: 28, y2: 34, stroke: ink.ink }),
        mv.write(x(rank), 22, rank, ink.muted, { "text-anchor": "middle", "font-size": 11 }));
    }
    return mv.canvas(box.right + wide + 80, top + 19 * half + 8, [
      mv.s("line", { x1: box.left, x2: box.right, y1: 34, y2: 34, stroke: ink.ink }), ticks, arms, bars]);
  };

  /* Everybody against everybody: the row's gain over the column, and on how many data sets it is ahead, level, behind. */
  mv.matrix = function (names, cells, theme, unit) {
    const ink = mv.INK[theme];
    const left = 16 + Math.min(210, Math.max.apply(null, names.map(function (name) { return mv.wide(mv.cut(name, 28)); })));
    const cell = { w: 66, h: 36 };
    const top = left * 0.72 + 12;
    const most = Math.max.apply(null, cells.map(function (one) { return Math.abs(one.gain); }).concat([1e-12]));
    const body = cells.map(function (one) {
      const x = left + cell.w * one.column;
      const y = top + cell.h * one.row;
      const weight = { "text-anchor": "middle", "font-weight": one.sure ? 700 : 400 };
      return mv.s("g", {}, mv.s("title", {}, names[one.row] + " over " + names[one.column] + ": " + one.shown + " " + unit +
        "; ahead on " + one.wins + ", level on " + one.ties + ", behind on " + one.losses + "; p " + one.holm.toPrecision(2) + " (Wilcoxon, Holm)"),
        mv.s("rect", { x: x + 1, y: y + 1, width: cell.w - 2, height: cell.h - 2, rx: 3, fill: one.gain >= 0 ? ink.good : ink.bad,
          "fill-opacity": 0.04 + 0.42 * Math.abs(one.gain) / most }),
        mv.write(x + cell.w / 2, y + 16, one.shown, ink.ink, Object.assign({}, weight)),
        mv.write(x + cell.w / 2, y + 29, one.wins + " / " + one.ties + " / " + one.losses, ink.ink, Object.assign({ "font-size": 10 }, weight)));
    });
    const heads = names.map(function (name, i) {
      return [mv.write(left - 8, top + cell.h * (i + 0.5) + 4, mv.cut(name, 28), ink.ink, { "text-anchor": "end" }),
        mv.s("text", { transform: "translate(" + (left + cell.w * (i + 0.5) + 4).toFixed(1) + "," + (top - 8).toFixed(1) + ") rotate(-45)",
          fill: ink.ink }, mv.cut(name, 28))];
    });
    return mv.canvas(left + cell.w * names.length + top * 0.8, top + cell.h * names.length + 6, [heads, body]);
  };
})((window.mvarena = window.mvarena || {}));
