/* What may be claimed: for one question its sentence, statistical ties and pairs; and the claims of all questions. */
(function (mv) {
  "use strict";
  mv.pages = mv.pages || {};

  mv.pages.claims = function (main, choices) {
    return mv.needPoints(choices.metric).then(([points, boards]) => {
      const asked = Object.assign({}, choices, { family: [], data: [], finished: "" });
      const board = mv.boardOf(points, boards, asked);
      main.append(mv.el("h1", {}, "Claims: " + mv.question(choices)), mv.filterBar(points, choices, mv.QUESTION),
        mv.claimOf(board));
      if (board.exact) main.append(ties(board), board.asked.pairs ? pairTable(board.asked, board.metric) : "");
      if (boards.length > 1) main.append(mv.el("h2", {}, "All questions by " + board.metric.label),
        everyClaim(boards, board.metric));
    });
  };

  function ties(board) {
    const { names, groups, differ } = board.asked;
    if (!differ) return "";
    const called = ([first, last]) => names.slice(first, last + 1);
    return mv.more("Statistical ties: " + groups.length +
      " groups of neighbours by mean rank in which no two can be told apart",
      mv.el("ol", { class: "told" }, groups.map((group) => mv.el("li", {}, "places " + (group[0] + 1) + " to " +
        (group[1] + 1) + ": " + called(group).join(", ")))));
  }

  function pairTable(asked, metric) {
    const label = (place) => asked.names[place];
    const { first, second, gain, wins, losses, ahead, p_holm: holm } = asked.pairs;
    const sure = (i) => asked.differ && holm[i] <= 0.05;
    return mv.table([
      { head: "First", title: "The one of better mean rank", value: (i) => label(first[i]) },
      { head: "Second", value: (i) => label(second[i]) },
      { head: "Gain", title: "By how much the first is better, mean over corpora", numeric: true, first: "down",
        value: (i) => gain[i], text: (i) => mv.signed(gain[i], metric) },
      { head: "Ahead", title: "Corpora on which the first is ahead", numeric: true, first: "down",
        value: (i) => wins[i] },
      { head: "Behind", numeric: true, first: "down", value: (i) => losses[i] },
      { head: "p (Holm)", title: "Wilcoxon's signed-rank test, corrected by Holm over all pairs", numeric: true,
        value: (i) => holm[i], text: (i) => String(Number(holm[i].toPrecision(2))) },
      { head: "Claim", value: (i) => !sure(i) ? "none" : "the " + (ahead[i] > 0 ? "first" : "second") + " is better" },
    ], first.map((_, i) => i), { name: "pairs " + asked.about, caption: "Pairs by " + asked.about, sort: [5, "up"],
      search: (i) => label(first[i]) + " " + label(second[i]) });
  }

  function everyClaim(boards, metric) {
    return mv.table([
      { head: "Question", value: (one) => one.about, show: (one) => mv.el("a",
        { href: "#/claims" + mv.queryOf(Object.assign(mv.carried(mv.choices()),
        Object.fromEntries(mv.QUESTION.map((kind) => [kind, one[kind]])))) }, one.about) },
      { head: "Over", value: (one) => one.over, show: (one) => mv.el("span", { class: "whole" }, one.over) },
      { head: "First", value: (one) => one.names[0] },
      { head: "Claim", value: (one) => one.claim, show: (one) => mv.el("span", { class: "message" }, one.claim) },
    ], boards, { name: "claims " + metric.name, caption: "Computed over all that is stored",
      search: (one) => one.about + " " + one.claim });
  }
})((window.mvarena = window.mvarena || {}));
