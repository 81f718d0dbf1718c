/* One question and its answer: the standings of what is shown, and beside it what Python computed over all that is
   stored. */
(function (mv) {
  "use strict";
  mv.QUESTION = ["condition", "kind", "size"]; // what is asked; all else says what is shown of it
  mv.KINDS = mv.QUESTION.concat("family", "data");

  /* points, boards: of one metric. asked: ratings, groups, pairs and claim of the question, of all methods whatever
     filter is set; where none were computed for it (exact is false), those of all conditions and data. */
  mv.boardOf = function (points, boards, choices) {
    const metric = mv.metricNamed(choices.metric);
    let chosen = mv.chosenRows(points, choices, mv.KINDS);
    if (choices.finished) chosen = whole(points, chosen);
    const own = boards.find((one) => mv.QUESTION.every((kind) => one[kind] === choices[kind]));
    return { metric: metric, points: points, chosen: chosen, choices: choices,
      table: mv.standings(points, chosen, metric.higher),
      asked: own || boards[0] || null, exact: Boolean(own) };
  };

  /* The rows of contestants all of whose trials among these finished. */
  function whole(points, chosen) {
    const gone = new Set(chosen.filter((i) => points.failed[i] +
      points.skipped[i] > 0).map((i) => points.contestant[i]));
    return chosen.filter((i) => !gone.has(points.contestant[i]));
  }

  /* The claim with the question that it answers, and how far that is the question of the page. */
  mv.claimOf = function (board) {
    if (!board.asked) return mv.el("p", { class: "claim" }, "No claim is made by " + board.metric.label +
      (board.table.empty ? ": that takes two methods with results on the same two data sets or more."
      : "; claims are by " + mv.listed(mv.get("labels").claimed) + "."));
    const filtered = mv.KINDS.slice(mv.QUESTION.length).concat("finished").some((kind) => board.choices[kind].length);
    return mv.el("p", { class: "claim" }, board.exact ? null
      : "No claim was computed for this selection. Of all conditions and data: ", board.asked.claim,
      board.exact && filtered ? mv.el("span", { class: "none" }, " Filters change what is shown, not what is claimed.")
        : null);
  };

  /* Why something is not among the standings, one sentence each. */
  mv.leftOut = function (board) {
    const labels = mv.get("labels");
    const found = (board.table.leftOut || []).map((one) => {
      if (one.contestant !== undefined) {
        return labels.contestants[one.contestant].label + ": no " + board.metric.label + " under " + one.missing +
          " of " + mv.count(one.of, "condition") + ".";
      }
      return labels.datasets[board.points.dataset[one.point]].label + ", " +
        mv.condition(board.points.condition[one.point]) +
        ": no " + board.metric.label + " of " + one.missing + " of " + mv.count(one.of, "method") + ".";
    });
    if (!found.length) return null;
    return mv.more("Left out of the ranks: " + found.length,
      mv.note("Ranks take a result of every method under every condition, finished or not. " +
        "What was never run or not scored is left out; 'mvarena score' scores what is stored."),
      mv.el("ul", {}, found.map((one) => mv.el("li", {}, one))));
  };

  /* What became of the trials of some rows of the points, as "timeout". */
  mv.ending = function (points, rows) {
    const bad = rows.filter((i) => points.failed[i] + points.skipped[i] + points.n_nan[i] > 0 ||
      points.paired[i] === null);
    if (!bad.length) return "";
    const silent = bad.find((i) => points.mean[i] === null);
    return silent === undefined ? "unfinished" : mv.status(mv.text(points.status, silent));
  };
})((window.mvarena = window.mvarena || {}));
