/* Everybody against everybody. */
(function (mv) {
  "use strict";
  const MOST = 24;

  mv.pages = mv.pages || {};
  mv.pages.comparison = function (main, choices) {
    return mv.need("points-" + mv.metricPlace(choices.metric)).then(function (data) {
      const board = mv.boardOf(data[0], choices);
      main.append(mv.el("h1", {}, "Every method against every other"), mv.filterBar(data[0], choices, mv.KINDS, { unfinished: true }));
      if (board.table.empty) {
        main.append(mv.el("p", { class: "claim" }, "Nothing can be compared by " + board.metric.label +
          " here: that takes two contestants with results on the same data sets and under the same conditions."));
        return;
      }
      main.append(mv.el("p", { class: "claim" }, board.claim), matrix(board), pairTable(board));
      const words = mv.leftOutWords(board);
      if (words.length) {
        main.append(mv.el("details", { class: "more" }, mv.el("summary", {}, "Left out: " + words.length),
          mv.el("ul", {}, words.map(function (one) { return mv.el("li", {}, one); }))));
      }
    });
  };

  function matrix(board) {
    const unit = board.metric.percent ? "points of " + board.metric.label : "of " + board.metric.label;
    const shown = Math.min(MOST, board.names.length);
    const some = shown < board.names.length ? " The first " + shown + " of " + board.names.length + " are drawn; the CSV shows all of them." : "";
    return mv.figure({
      title: "Comparison matrix by " + board.metric.label, name: "comparison " + board.metric.name,
      caption: "Over " + board.table.over + ". In each cell: by how much the row is better than the column (" + unit +
        "), and on how many corpora it is ahead / level / behind. Bold: told apart (Wilcoxon, corrected by Holm over all pairs, 0.05)." + some,
      draw: function (theme) {
        const cells = [];
        board.pairs.forEach(function (pair) {
          if (pair.second >= shown) return;
          cells.push(cell(board, pair, 1), cell(board, pair, -1));
        });
        return mv.matrix(board.names.slice(0, shown), cells, theme, unit);
      },
      rows: function () {
        return [["first", "second", "gain", "wins", "ties", "losses", "p", "p_holm"]].concat(board.pairs.map(function (pair) {
          return [board.names[pair.first], board.names[pair.second], gain(board, pair), pair.wins, pair.ties, pair.losses, pair.p, pair.holm];
        }));
      },
    });
  }

  function gain(board, pair) {
    return pair.gain * (board.metric.percent ? 100 : 1);
  }

  function cell(board, pair, sign) {
    const value = sign * gain(board, pair);
    const text = board.metric.percent ? value.toFixed(2) : String(Number(value.toPrecision(3)));
    return { row: sign > 0 ? pair.first : pair.second, column: sign > 0 ? pair.second : pair.first, gain: value,
      shown: (value > 0 ? "+" : "") + text.replace("-", "−"), wins: sign > 0 ? pair.wins : pair.losses, ties: pair.ties,
      losses: sign > 0 ? pair.losses : pair.wins, holm: pair.holm, sure: board.differ && pair.holm <= mv.ALPHA };
  }

  function pairTable(board) {
    return mv.table([
      { head: "First", value: function (pair) { return board.names[pair.first]; } },
      { head: "Second", value: function (pair) { return board.names[pair.second]; } },
      { head: "Gain", title: "Mean over corpora by which the first is better", numeric: true, first: "down",
        value: function (pair) { return gain(board, pair); }, show: function (pair) { return cell(board, pair, 1).shown; } },
      { head: "Ahead", numeric: true, value: function (pair) { return pair.wins; } },
      { head: "Level", numeric: true, value: function (pair) { return pair.ties; } },
      { head: "Behind", numeric: true, value: function (pair) { return pair.losses; } },
      { head: "p", numeric: true, value: function (pair) { return pair.p; }, show: function (pair) { return pair.p.toPrecision(2); } },
      { head: "p (Holm)", numeric: true, value: function (pair) { return pair.holm; }, show: function (pair) {
        return mv.el("span", { class: board.differ && pair.holm <= mv.ALPHA ? "sure" : null }, pair.holm.toPrecision(2));
      } },
    ], board.pairs, { name: "pairs " + board.metric.name, caption: "All pairs by " + board.metric.label });
  }
})((window.mvarena = window.mvarena || {}));
