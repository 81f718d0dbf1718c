/* The leader board: who stands where over the data sets that are chosen. */
(function (mv) {
  "use strict";
  const KINDS = ["data", "family", "method", "condition", "protocol"];
  const DRAWS = 1000;
  const ALPHA = 0.05;
  const MOST_RATED = 60;
  const MOST_DRAWN = 40;
  mv.KINDS = KINDS;
  mv.ALPHA = ALPHA;

  /* Everything that the pages of standings show, from the chosen rows of the points. */
  mv.boardOf = function (stored, choices) {
    const labels = mv.get("labels");
    const metric = mv.scoredMetric(choices);
    const points = mv.scored(stored, choices);
    const chosen = mv.chosenRows(points, choices, KINDS);
    const table = mv.standings(points, chosen, metric.higher, choices.unfinished);
    const beside = mv.standings(points, chosen, metric.higher, choices.unfinished === "last" ? "left-out" : "last");
    const board = { metric: metric, points: points, chosen: chosen, table: table, beside: beside };
    if (table.empty) return board;
    board.names = table.contestants.map(function (one) { return labels.contestants[one].label; });
    board.pairs = mv.pairs(table);
    board.groups = mv.cliques(table, board.pairs, ALPHA);
    board.differ = mv.mayDiffer(table, ALPHA);
    board.ratings = mv.ratings(table);
    board.claim = mv.claim(table, board.pairs, board.names, ALPHA);
    return board;
  };

  /* Why something is not among the standings, one sentence each. */
  mv.leftOutWords = function (board) {
    const labels = mv.get("labels");
    return (board.table.leftOut || []).map(function (one) {
      if (one.condition) {
        return labels.datasets[one.condition.dataset].label + ", " + mv.condition(one.condition.corruption, one.condition.rate) +
          " is left out: " + board.metric.label + " is not known there for " + one.missing + " of " + one.of + " contestants.";
      }
      return labels.contestants[one.contestant].label + " is left out: without a known " + board.metric.label + " under " +
        one.missing + " of " + one.of + " conditions" + (one.unscored ? "; 'mvarena score' adds it to what is stored" : "") + ".";
    });
  };

  mv.pages = mv.pages || {};
  mv.pages.board = function (main, choices) {
    return mv.need("points-" + mv.metricPlace(choices.metric), "cards").then(function (data) {
      const board = mv.boardOf(data[0], choices);
      main.append(mv.el("h1", {}, "Leader board"), mv.filterBar(data[0], choices, KINDS, { unfinished: true }));
      if (board.table.empty) return nothing(main, board);
      main.append(mv.el("p", { class: "claim" }, board.claim), scope(board));
      const rows = rowsOf(board, data[1]);
      const holder = mv.el("div");
      const beside = mv.el("div", { "aria-live": "polite" });
      const drawn = mv.el("div", { class: "figures" });
      const show = function () { // again when a method is pinned, or the intervals are known
        holder.replaceChildren(standingTable(board, rows, show));
        beside.replaceChildren.apply(beside, mv.pinned(board, rows));
      };
      main.append(holder, beside, drawn);
      show();
      figures(drawn, board, rows);
      picked(main, board);
      leftOut(main, board);
      if (rows.length > MOST_RATED || board.table.corpora.length < 2) return undefined;
      return mv.ratingIntervals(board.table, mv.get("labels").bootstrap, DRAWS, function (intervals) {
        rows.forEach(function (row) { Object.assign(row, intervals[row.place]); });
        show();
        drawn.replaceChildren();
        figures(drawn, board, rows);
        main.dataset.intervals = "done";
      });
    });
  };

  function nothing(main, board) {
    main.append(mv.el("p", { class: "claim" }, "Nothing can be compared by " + board.metric.label + " here: that takes two " +
      "contestants that use no labels, with results on the same data sets and under the same conditions."));
    leftOut(main, board);
    picked(main, board);
    unfinished(main, board);
  }

  function scope(board) {
    const table = board.table;
    const labels = mv.get("labels");
    const methods = mv.methodCount();
    const some = function (count, of) { return count === of ? "All " + of : count + " of the " + of; };
    const words = some(table.contestants.length, methods) + " methods over " + table.over +
      (table.datasets.length < labels.datasets.length ? " of the " + labels.datasets.length : "") + ", " +
      mv.count(table.conditions.length, "condition") + " in all; each corpus has the same weight. Scaling, filling: " + mv.choices().preparation + ".";
    const how = "A method that did not finish every trial of a condition is ranked last under it; \"finished only\" beside it goes by " +
      "what finished.";
    const other = "Means of finished trials; a method without any is left out. Beside it is the rank with unfinished trials last.";
    return mv.note(words + " " + (mv.choices().unfinished === "last" ? how : other));
  }

  function rowsOf(board, cards) {
    const labels = mv.get("labels");
    const table = board.table;
    const seconds = meanOf(board, "wall_s");
    return table.contestants.map(function (one, i) {
      const contestant = labels.contestants[one];
      const card = cards.methods[contestant.algorithm] || {};
      const other = board.beside.empty ? -1 : board.beside.contestants.indexOf(one);
      return { place: i, contestant: contestant, label: contestant.label, meanRank: table.meanRanks[i],
        rating: board.ratings[i], low: NaN, high: NaN,
        value: mv.mean(table.values.map(function (row) { return row[i]; })),
        unfinished: table.unfinished[i], other: other < 0 ? null : board.beside.meanRanks[other],
        seconds: seconds.get(one), status: card.status || (card.installed ? "" : "not installed here") };
    });
  }

  /* Contestant -> the mean of a column over the chosen points that have it. */
  function meanOf(board, column) {
    const values = new Map();
    board.chosen.forEach(function (i) {
      const value = board.points[column][i];
      if (value === null) return;
      const one = board.points.contestant[i];
      if (!values.has(one)) values.set(one, []);
      values.get(one).push(value);
    });
    return new Map(Array.from(values, function (pair) { return [pair[0], mv.mean(pair[1])]; }));
  }

  /* changed: called when a method is pinned or let go. */
  function standingTable(board, rows, changed) {
    const k = rows.length;
    const pins = new Set(mv.choices().pin);
    const conditions = board.table.conditions.length;
    const other = mv.choices().unfinished === "last" ? "Finished only" : "Unfinished last";
    const pin = function (row) {
      const on = pins.has(row.contestant.name);
      return mv.el("button", { type: "button", class: on ? "pin on" : "pin", "aria-pressed": on ? "true" : "false",
        "aria-label": (on ? "Unpin " : "Pin ") + row.label, title: "Pin: keep on top; two or more are compared below",
        onclick: function () {
          if (on) pins.delete(row.contestant.name);
          else pins.add(row.contestant.name);
          mv.remember({ pin: Array.from(pins) });
          changed();
        } }, on ? "★" : "☆");
    };
    return mv.table([
      { head: "#", title: "Place by mean rank; the star pins a method", numeric: true, value: function (row) { return row.place + 1; },
        show: function (row) { return [pin(row), row.place + 1]; } },
      { head: "Method", value: function (row) { return row.label; }, show: function (row) {
        return [mv.link("method", row.contestant.algorithm, row.label), row.contestant.family ? mv.el("span", { class: "tag" }, row.contestant.family) : null];
      } },
      { head: board.metric.axis, title: "The mean over corpora; where a method did not finish, a value just below the worst finished one is used", numeric: true,
        first: board.metric.higher ? "down" : "up", value: function (row) { return row.value; },
        show: function (row) { return mv.shown(row.value, board.metric); } },
      { head: "Mean rank", numeric: true, value: function (row) { return row.meanRank; }, show: function (row) {
        return mv.el("span", { class: "barred" }, bar(1 - (row.meanRank - 1) / Math.max(1, k - 1)), row.meanRank.toFixed(2));
      } },
      { head: "Rating", title: "Elo style: a lead of 400 means odds of ten to one; with 95 % intervals of a bootstrap over corpora", numeric: true, first: "down",
        value: function (row) { return row.rating; }, show: function (row) {
          return [row.rating.toFixed(0), Number.isFinite(row.low) ? mv.el("small", {}, " " + row.low.toFixed(0) + "–" + row.high.toFixed(0)) : null];
        } },
      { head: "Unfinished", title: "Conditions under which some trial failed, was skipped or gave no number", numeric: true, first: "down",
        value: function (row) { return row.unfinished; }, show: function (row) {
          return row.unfinished ? mv.el("span", { class: "bad" }, row.unfinished + " of " + conditions) : "0";
        } },
      { head: "Seconds", title: "Mean wall-clock seconds of a trial that finished: preparation, fit, assignment, scoring", numeric: true, value: function (row) { return row.seconds; },
        show: function (row) { return mv.seconds(row.seconds); } },
    ].concat(corpusColumns(board), [
      { head: other, title: "The other mean rank: of finished trials only, or with unfinished trials last", numeric: true,
        value: function (row) { return row.other; }, show: function (row) { return row.other === null ? null : row.other.toFixed(2); } },
      { head: "Checked", title: "What the method's numbers were checked against", value: function (row) { return row.status; },
        show: function (row) { return row.status ? mv.el("span", { class: "whole" }, row.status) : null; } },
    ]), rows, { name: "leader board " + board.metric.name, caption: "Standings by " + board.metric.label + "; ‡ not above the better control", sort: [3, "up"],
      search: function (row) { return row.label + " " + row.contestant.family; },
      first: function (row) { return pins.has(row.contestant.name); } });
  }

  /* A column for each corpus: the mean score on it, the darker the better within the column. */
  function corpusColumns(board) {
    if (board.table.corpora.length < 2) return [];
    const separates = aboveControl(board);
    return board.table.corpora.map(function (corpus, r) {
      const values = board.table.values[r];
      const low = Math.min.apply(null, values);
      const span = Math.max.apply(null, values) - low || 1;
      return { head: corpus, title: "Mean " + board.metric.label + " on " + corpus, numeric: true, first: board.metric.higher ? "down" : "up",
        value: function (row) { return values[row.place]; },
        show: function (row) {
          const share = (values[row.place] - low) / span;
          return mv.el("span", { class: "shade shade-" + Math.round(10 * (board.metric.higher ? share : 1 - share)) },
            mv.shown(values[row.place], board.metric), separates(row.place, corpus) ? null : mv.belowMark("above the better control under no condition of this corpus, " + mv.BELOW_MEANS));
        } };
    });
  }

  /* Whether a contestant, by its place, is above the better control under some condition of a corpus. */
  function aboveControl(board) {
    const datasets = mv.get("labels").datasets;
    const found = new Set();
    board.chosen.forEach(function (i) {
      if (board.points.above[i]) found.add(board.points.contestant[i] + " " + datasets[board.points.dataset[i]].corpus);
    });
    return function (place, corpus) { return found.has(board.table.contestants[place] + " " + corpus); };
  }

  function bar(share) {
    const made = mv.el("span", { class: "bar", "aria-hidden": "true" });
    made.style.setProperty("--share", 5 * Math.round(20 * Math.max(0, Math.min(1, share))) + "%");
    return made;
  }

  function figures(holder, board, rows) {
    const shown = rows.slice(0, MOST_DRAWN);
    const some = rows.length > shown.length ? " The first " + shown.length + " of " + rows.length + " are drawn." : "";
    const n = "Over " + board.table.over + ".";
    holder.append(mv.figure({
      title: "Mean ranks by " + board.metric.label, name: "ranks " + board.metric.name,
      caption: n + " Bars join groups in which no two can be told apart (Wilcoxon with Holm, 0.05)." + some,
      draw: function (theme) {
        const cut = Object.assign({}, board.table, { meanRanks: board.table.meanRanks.slice(0, MOST_DRAWN) });
        const groups = board.groups.filter(function (group) { return group[0] < shown.length; }).map(function (group) {
          return [group[0], Math.min(group[1], shown.length - 1)];
        });
        return mv.rankDiagram(cut, board.names.slice(0, MOST_DRAWN), groups, theme);
      },
      rows: function () {
        return [["method", "mean_rank", "groups"]].concat(rows.map(function (row) {
          const own = board.groups.map(function (g, i) { return g[0] <= row.place && row.place <= g[1] ? i : null; });
          return [row.label, row.meanRank, own.filter(function (one) { return one !== null; }).join(" ")];
        }));
      },
    }));
    const byRating = shown.slice().sort(function (a, b) { return b.rating - a.rating; });
    holder.append(mv.figure({
      title: "Ratings by " + board.metric.label, name: "ratings " + board.metric.name,
      caption: n + (rows.length > MOST_RATED ? " Choose " + MOST_RATED + " methods or fewer for intervals." : board.table.corpora.length < 2
        ? " With one corpus there is no interval." : " Whiskers: 95 % of 1,000 draws of the corpora.") + some,
      draw: function (theme) {
        return mv.whiskers(byRating.map(function (row) {
          return { label: row.label, contestant: row.contestant, value: row.rating, low: row.low, high: row.high,
            title: row.label + ": " + row.rating.toFixed(0) };
        }), theme, "rating");
      },
      rows: function () {
        return [["method", "rating", "low", "high"]].concat(rows.map(function (row) {
          return [row.label, row.rating, Number.isFinite(row.low) ? row.low : "", Number.isFinite(row.high) ? row.high : ""];
        }));
      },
    }));
  }

  /* What labels picked is shown, marked, and never ranked. */
  function picked(main, board) {
    const labels = mv.get("labels");
    const of = new Map();
    const chosenByLabels = new Set(board.chosen.filter(function (i) { return board.points.label_picked[i]; }).map(function (i) { return board.points.contestant[i]; }));
    board.chosen.forEach(function (i) {
      if (!(board.points.label_picked[i] || labels.contestants[board.points.contestant[i]].control) || board.points.mean[i] === null) return;
      const one = board.points.contestant[i];
      if (!of.has(one)) of.set(one, new Map());
      const datasets = of.get(one);
      if (!datasets.has(board.points.dataset[i])) datasets.set(board.points.dataset[i], []);
      datasets.get(board.points.dataset[i]).push(board.points.mean[i]);
    });
    if (!of.size) return;
    const rows = Array.from(of, function (pair) {
      const means = Array.from(pair[1].values(), mv.mean);
      return { contestant: labels.contestants[pair[0]], value: mv.mean(means), datasets: means.length, picked: chosenByLabels.has(pair[0]) };
    });
    const byLabels = rows.some(function (row) { return row.picked; });
    main.append(mv.el("h2", {}, byLabels ? "Controls, and methods that use labels" : "Controls"),
      mv.note("Not ranked. Controls look at no data: no method should fall below one cluster for all, or random labels." + (byLabels ? " Numbers marked * were chosen by ground truth (the best view, parameter or restart, or the classes themselves), which needs labels." : "")),
      mv.table([
        { head: "Method", value: function (row) { return row.contestant.label + (row.picked ? " *" : ""); }, show: function (row) {
          return [mv.link("method", row.contestant.algorithm, row.contestant.label), row.picked ? mv.el("span", { class: "picked", title: "uses labels" }, " *") : null];
        } },
        { head: board.metric.axis, numeric: true, first: "down", value: function (row) { return row.value; },
          show: function (row) { return mv.shown(row.value, board.metric) + (row.picked ? " *" : ""); } },
        { head: "Data sets", numeric: true, value: function (row) { return row.datasets; } },
      ], rows, { name: "controls and picked " + board.metric.name, caption: "Controls, and methods that use labels, " + board.metric.label, sort: [1, board.metric.higher ? "down" : "up"] }));
  }

  function unfinished(main, board) {
    const labels = mv.get("labels");
    const rows = board.chosen.filter(function (i) { return !board.points.label_picked[i]; });
    if (!rows.length) return;
    main.append(mv.el("h2", {}, "What there is"), mv.table([
      { head: "Method", value: function (i) { return labels.contestants[board.points.contestant[i]].label; }, show: function (i) {
        const one = labels.contestants[board.points.contestant[i]];
        return mv.link("method", one.algorithm, one.label);
      } },
      { head: "Data", value: function (i) { return labels.datasets[board.points.dataset[i]].label; } },
      { head: "Condition", value: function (i) { return mv.condition(board.points.corruption[i], board.points.rate[i]); } },
      { head: board.metric.axis, numeric: true, value: function (i) { return board.points.mean[i]; },
        show: function (i) { return mv.meanShown(board.points, i, board.metric); } },
      { head: "Why not", value: function (i) { return mv.text(board.points.reason, i); }, show: function (i) { return mv.name(mv.text(board.points.reason, i)); } },
    ], rows, { name: "what there is", caption: "All points" }));
  }

  function leftOut(main, board) {
    const words = mv.leftOutWords(board);
    if (!words.length) return;
    main.append(mv.el("details", { class: "more", open: words.length < 4 },
      mv.el("summary", {}, "Left out: " + words.length), mv.el("ul", {}, words.map(function (one) { return mv.el("li", {}, one); }))));
  }
})((window.mvarena = window.mvarena || {}));
