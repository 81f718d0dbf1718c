/* Pinned methods side by side: their scores on each corpus, who is ahead where, and what may be claimed of them. */
(function (mv) {
  "use strict";

  /* What stands right under the pinned rows of a board; null where fewer than two are pinned. */
  mv.pinned = function (board, chosen) {
    if (chosen.length < 2) return null;
    const { table, metric, points } = board;
    const gains = mv.gains(points, table, chosen[0].place, chosen[1].place);
    const best = (values) => Math[metric.higher ? "max" : "min"](...values.filter((value) => value !== null));
    const cells = table.corpora.map((_, r) => chosen.map((row) => table.values[r][row.place]));
    const head = mv.el("tr", {}, mv.el("th", {}, metric.axis), table.corpora.map((corpus) => mv.el("th",
      { class: "number", scope: "col" }, mv.name(corpus))));
    const lines = chosen.map((row, c) => mv.el("tr", {}, mv.el("th", { scope: "row" }, mv.name(row.contestant.label)),
      cells.map((values) =>
      mv.el("td", { class: values[c] !== null && values[c] === best(values) ? "number sure" : "number" },
        mv.shown(values[c], metric)))));
    if (chosen.length === 2) {
      lines.push(mv.el("tr", {}, mv.el("th", { scope: "row" }, "Difference"), table.corpora.map((corpus) =>
        mv.el("td", { class: "number" }, gains.has(corpus) ? mv.signed(gains.get(corpus), metric) : mv.NONE))));
    }
    const frame = mv.scroller(mv.el("table", { class: "side" }, mv.el("thead", {}, head), mv.el("tbody", {}, lines)),
      "Pinned methods on each corpus");
    return mv.el("div", { class: "pinned" }, frame, mv.el("ul", { class: "told" }, sentences(board, chosen)));
  };

  /* Two sentences for each pair of the pinned: what is shown, and what may be claimed. */
  function sentences(board, chosen) {
    const found = [];
    chosen.forEach((first, a) => chosen.slice(a + 1).forEach((second) => {
      const gains = Array.from(mv.gains(board.points, board.table, first.place, second.place).values());
      const gain = mv.mean(gains);
      const ahead = gains.filter((one) => one > 0 && !mv.tied(one, 0)).length;
      const behind = gains.filter((one) => one < 0 && !mv.tied(one, 0)).length;
      found.push(mv.el("li", {}, first.contestant.label + " is " + mv.shown(Math.abs(gain), board.metric) +
        (board.metric.percent ? " points " : " ") + (gain < 0 ? "behind " : "ahead of ") + second.contestant.label +
        " where both have a score: " + ahead + " corpora ahead, " + (gains.length - ahead - behind) + " level, " +
          behind + " behind. ", claimed(board, first, second)));
    }));
    return found;
  }

  function claimed(board, first, second) {
    const asked = board.asked;
    const names = mv.get("labels").contestants;
    if (!asked || !asked.pairs) return "No pair can be claimed to differ: " +
      (asked ? asked.about : board.metric.label) + " is over too few corpora.";
    const at = asked.pairs.first.findIndex((one, i) => {
      const pair = [names[asked.contestants[one]], names[asked.contestants[asked.pairs.second[i]]]];
      return pair.includes(first.contestant) && pair.includes(second.contestant);
    });
    if (at < 0) return "They are not compared: one of them is left out of " + asked.about + ".";
    const better = names[asked.contestants[asked.pairs.gain[at] > 0 ? asked.pairs.first[at] : asked.pairs.second[at]]];
    const test = " (" + asked.about + ", over " + asked.over + "; Wilcoxon, Holm over " +
      mv.count(asked.pairs.first.length, "pair") + ", p " + Number(asked.pairs.p_holm[at].toPrecision(2)) + ")";
    return asked.differ && asked.pairs.p_holm[at] <= 0.05 ? mv.el("strong", {}, better.label +
      " can be claimed to be better" + test + ".")
      : "No difference can be claimed" + test + ".";
  }
})((window.mvarena = window.mvarena || {}));
