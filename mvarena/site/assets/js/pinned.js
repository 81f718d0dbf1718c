/* The pinned methods side by side: their scores on each corpus, and who is ahead where. */
(function (mv) {
  "use strict";

  /* Elements for two or more pinned rows of a board; none for fewer. */
  mv.pinned = function (board, rows) {
    const pins = mv.choices().pin;
    const chosen = rows.filter(function (row) { return pins.indexOf(row.contestant.name) >= 0; });
    if (!chosen.length) return [];
    if (chosen.length === 1) return [mv.note(chosen[0].label + " is pinned; pin another one to compare them.")];
    return [mv.el("h2", {}, "Pinned methods"), scores(board, chosen), mv.el("ul", { class: "told" }, sentences(board, chosen))];
  };

  function scores(board, chosen) {
    const lines = board.table.corpora.map(function (corpus, r) {
      return { corpus: corpus, values: chosen.map(function (row) { return board.table.values[r][row.place]; }) };
    });
    return mv.table([
      { head: "Corpus", value: function (line) { return line.corpus; }, show: function (line) { return mv.name(line.corpus); } },
    ].concat(chosen.map(function (row, c) {
      return { head: row.label, numeric: true, first: board.metric.higher ? "down" : "up", value: function (line) { return line.values[c]; },
        show: function (line) { return mv.el("span", { class: isBest(line.values, c, board) ? "sure" : null }, mv.shown(line.values[c], board.metric)); } };
    })), lines, { name: "pinned " + board.metric.name, caption: board.metric.label + " of the pinned methods; the best of a corpus is bold" });
  }

  function isBest(values, c, board) {
    return values[c] === Math[board.metric.higher ? "max" : "min"].apply(null, values);
  }

  /* One sentence for each pair of the pinned. */
  function sentences(board, chosen) {
    const places = new Set(chosen.map(function (row) { return row.place; }));
    return board.pairs.filter(function (pair) { return places.has(pair.first) && places.has(pair.second); }).map(function (pair) {
      const gain = pair.gain * (board.metric.percent ? 100 : 1);
      const far = board.metric.percent ? Math.abs(gain).toFixed(2) + " points" : String(Number(Math.abs(gain).toPrecision(3)));
      const words = [pair.wins, pair.ties, pair.losses].join(" / ");
      const sure = board.differ && pair.holm <= mv.ALPHA;
      return mv.el("li", {}, board.names[pair.first] + " lies " + far + " " + (gain < 0 ? "behind" : "ahead of") + " " + board.names[pair.second] +
        " on average over " + board.table.over + ", ahead / level / behind on " + words + " corpora: " + (sure ? "" : "not ") + "told apart (Wilcoxon p " +
        pair.p.toPrecision(2) + ", " + pair.holm.toPrecision(2) + " after Holm over all pairs).");
    });
  }
})((window.mvarena = window.mvarena || {}));
