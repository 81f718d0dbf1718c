/* The leader board: ranks, ratings and means of the methods, for one question. */
(function (mv) {
  "use strict";
  const MOST_DRAWN = 40;
  mv.pages = mv.pages || {};

  mv.pages.board = function (main, choices) {
    return mv.needPoints(choices.metric).then(([points, boards]) => {
      const board = mv.boardOf(points, boards, choices);
      const finished = mv.select("Methods", [["", "all"], ["all", "that finished everything"]], choices.finished,
        (value) => mv.choose({ finished: value }));
      main.append(mv.el("h1", {}, "Leader board: " + mv.question(choices)),
        mv.filterBar(points, choices, mv.KINDS, [finished]), mv.claimOf(board));
      if (board.table.empty) {
        main.append(mv.note("Nothing can be ranked here: that takes two methods with results on the same data under " +
          "the same conditions."), allPoints(board));
      } else ranked(main, board);
      apart(main, board);
      main.append(mv.leftOut(board) || "");
    });
  };

  function ranked(main, board) {
    const rows = mv.boardRows(board);
    main.append(standingTable(board, rows), scope(board));
    main.append(ratings(board) || "", qualityAndTime(board, rows) || "");
  }

  function scope(board) {
    const { table } = board;
    return mv.note(mv.count(table.contestants.length, "method") + " over " + mv.over(table) + ", " +
      mv.count(table.conditions.length, "condition") + " in all. Each corpus (source of data) has the same weight. A " +
      "method that did not finish a condition ranks last under it and has no score there; means are of what " +
      "finished. " + mv.get("labels").prepared);
  }

  /* One row for each ranked method, the first place first. */
  mv.boardRows = function (board) {
    const { table, points } = board;
    const asked = new Map((board.asked ? board.asked.contestants : []).map((one, place) => [one, place]));
    return table.contestants.map((one, place) => {
      const of = (name) => asked.has(one) && board.asked[name] && board.asked[name][asked.get(one)] !== null
        ? board.asked[name][asked.get(one)] : NaN;
      const better = table.meanRanks.filter((other) => other < table.meanRanks[place] &&
        !mv.tied(other, table.meanRanks[place]));
      return { place: place, shared: better.length + 1, contestant: mv.get("labels").contestants[one],
        meanRank: table.meanRanks[place], value: table.means[place], finished: table.finished[place],
        of: table.conditions.length, seconds: secondsOf(board, one),
        behind: place ? mv.mean(Array.from(mv.gains(points, table, place, 0).values())) : 0,
        rating: of("rating"), low: of("low"), high: of("high") };
    });
  };

  /* The geometric mean over data sets of the mean seconds of a trial. */
  function secondsOf(board, contestant) {
    const { points } = board;
    const timed = board.chosen.filter((i) => points.contestant[i] === contestant && points.seconds[i] > 0);
    const ofSets = Array.from(mv.grouped(timed, (i) => points.dataset[i]).values(),
      (own) => Math.log(mv.mean(own.map((i) => points.seconds[i]))));
    return ofSets.length ? Math.exp(mv.mean(ofSets)) : NaN;
  }

  function standingTable(board, rows) {
    const { table } = board;
    const pinned = (row) => mv.choices().pin.includes(row.contestant.name);
    const redraw = () => made.redraw();
    const made = mv.table(standingColumns(board, rows[0].contestant.label, redraw).concat(corpora(board)), rows, {
      name: "leader board " + board.metric.name, caption: "By " + mv.question(board.choices), sort: [2, "up"],
      search: (row) => row.contestant.label + " " + row.contestant.family, first: pinned,
      below: () => mv.pinned(board, rows.filter(pinned)),
      tools: table.corpora.length < 2 ? null : mv.button(board.choices.corpora ? "Hide corpora" : "Show corpora",
        () => mv.choose({ corpora: board.choices.corpora ? "" : "shown" }), { "data-key": "corpora" }) });
    return made;
  }

  /* The columns that every board has. first: the name of the first place; redraw: called when a pin has changed. */
  function standingColumns({ metric }, first, redraw) {
    const part = (row) => row.finished < row.of;
    const finished = (row) => row.finished + " of " + row.of;
    const shade = (row, text) => part(row) ? mv.el("span", { class: "none",
      title: "over the " + finished(row) + " conditions that it finished" }, text) : text;
    return [
      { head: "#", title: "Place by mean rank, which equal ones share; the star pins a method", numeric: true,
        value: (row) => row.shared, show: (row) => [pin(row, redraw), row.shared] },
      { head: "Method", value: (row) => row.contestant.label, show: (row) => mv.methodLink(row.contestant) },
      { head: "Mean rank", title: "Mean over corpora of the rank on each", numeric: true,
        value: (row) => row.meanRank, text: (row) => row.meanRank.toFixed(2) },
      { head: "Rating", numeric: true, first: "down", title: "Of all methods, whatever is shown: a lead of 400 means " +
        "odds of ten to one; with the 95 % interval over corpora", value: (row) => row.rating,
        text: (row) => Number.isFinite(row.rating) ? row.rating.toFixed(0) + interval(row) : "",
        show: (row) => Number.isFinite(row.rating) ? [row.rating.toFixed(0), mv.el("small", {}, interval(row))]
          : null },
      mv.scoreColumn(metric, { title: "Mean over corpora of what finished; grey: some conditions are missing from it",
        after: part, value: (row) => row.value, text: (row) => mv.shown(row.value, metric),
        show: (row) => shade(row, mv.shown(row.value, metric)) }),
      { head: "To the first", title: "Mean gain over " + first + " where both have a score", numeric: true,
        first: "down", value: (row) => row.behind, text: (row) => row.place ? mv.signed(row.behind, metric) : "" },
      { head: "Finished", title: "Conditions under which all trials finished", numeric: true, first: "down",
        value: (row) => row.finished, text: finished,
        show: (row) => mv.el("span", { class: part(row) ? "bad" : null }, finished(row)) },
      { head: "CPU s", title: mv.SECONDS, numeric: true, value: (row) => row.seconds,
        text: (row) => mv.seconds(row.seconds) },
    ];
  }

  mv.SECONDS = "CPU seconds of a trial that finished: geometric mean over data sets";

  function interval(row) {
    return Number.isFinite(row.low) ? " " + row.low.toFixed(0) + "–" + row.high.toFixed(0) : "";
  }

  function pin(row, changed) {
    const name = row.contestant.name;
    const on = mv.choices().pin.includes(name);
    return mv.button(on ? "★" : "☆", () => {
      const others = mv.choices().pin.filter((one) => one !== name);
      mv.remember({ pin: on ? others : others.concat(name) });
      changed();
    }, { class: on ? "pin on" : "pin", "aria-pressed": String(on), "data-key": "pin " + name,
      "aria-label": (on ? "Unpin " : "Pin ") + row.contestant.label,
      title: "Pin: keep on top; two pinned methods are compared below them" });
  }

  /* A strip with a cell for each corpus, or a column for each: the darker the better among the methods. */
  function corpora(board) {
    const { table, metric, points } = board;
    if (table.corpora.length < 2) return [];
    const shades = table.values.map((row) => {
      const known = row.filter((value) => value !== null);
      const low = Math.min(...known);
      const span = Math.max(...known) - low || 1;
      return row.map((value) => value === null ? null : Math.round(10 * (metric.higher ? (value - low) / span
        : 1 - (value - low) / span)));
    });
    const cell = (r, c) => {
      const rows = table.conditions.filter((one) => one.corpus === table.corpora[r]).map((one) => one.at[c]);
      const done = rows.filter((i) => points.paired[i] !== null).length;
      return { value: table.values[r][c], shade: shades[r][c], ending: mv.ending(points, rows),
        part: done < rows.length ? done + " of " + rows.length : "", below: rows.every((i) => !points.above[i]) };
    };
    const said = (one) => one.value === null ? one.ending : mv.shown(one.value, metric);
    if (board.choices.corpora) {
      const shown = (one) => one.value === null ? mv.el("span", { class: "bad" }, one.ending)
        : [mv.el("span", { class: "shade shade-" + one.shade, title: one.part ? one.part + " conditions" : null },
          said(one)), one.part ? mv.el("small", { class: "bad" }, " " + one.part) : null,
        one.below ? mv.below() : null];
      return table.corpora.map((corpus, r) => mv.scoreColumn(metric, { head: corpus, saved: corpus,
        title: metric.label + " on " + corpus, value: (row) => table.values[r][row.place],
        text: (row) => said(cell(r, row.place)), show: (row) => shown(cell(r, row.place)) }));
    }
    const told = (r, row) => {
      const one = cell(r, row.place);
      return table.corpora[r] + ": " + said(one) + (one.part ? " (" + one.part + " conditions)" : "");
    };
    return [{ head: "Corpora", saved: false, value: () => "",
      title: "A cell for each of " + mv.listed(table.corpora) + ": the darker the better; struck out: nothing finished",
      show: (row) => mv.el("span", { class: "strip", role: "img",
        "aria-label": table.corpora.map((_, r) => told(r, row)).join(", ") },
      table.corpora.map((_, r) => {
        const shade = shades[r][row.place];
        return mv.el("i", { class: shade === null ? "gone" : "shade-" + shade, title: told(r, row) });
      })) }];
  }

  mv.below = () => mv.el("span", { class: "below", title: mv.BELOW_MEANS }, "‡");

  /* Ratings with whiskers: of the question, as computed in Python. */
  function ratings(board) {
    const asked = board.asked;
    if (!asked || !asked.rating) return null;
    const labels = mv.get("labels").contestants;
    const known = (value) => value === null ? NaN : value;
    const rows = asked.contestants.map((one, i) => ({ label: asked.names[i], contestant: labels[one],
      value: known(asked.rating[i]), low: known(asked.low[i]), high: known(asked.high[i]),
      title: asked.names[i] + ": " + asked.rating[i].toFixed(0) }))
      .filter((row) => row.contestant).sort((a, b) => b.value - a.value);
    const shown = rows.slice(0, MOST_DRAWN);
    return mv.figure({
      title: "Ratings: " + asked.about, name: "ratings " + asked.about,
      caption: "Over " + asked.over + ". Whiskers: central 95 % of 1,000 draws of the corpora." +
        (shown.length < rows.length ? " The first " + shown.length + " of " + rows.length + " are drawn." : ""),
      draw: (theme) => mv.whiskers(shown, theme, "rating"),
      rows: () => [["method", "rating", "low", "high"]].concat(rows.map((row) => [row.label, row.value, row.low,
        row.high])),
    });
  }

  function qualityAndTime(board, rows) {
    const timed = rows.filter((row) => row.seconds > 0 && Number.isFinite(row.value));
    if (timed.length < 2) return null;
    const whole = timed.filter((row) => row.finished === row.of);
    const sign = board.metric.higher ? 1 : -1;
    const onFront = (row) => row.finished === row.of && !whole.some((other) => other.seconds <= row.seconds &&
      sign * (other.value - row.value) >= 0 &&
      (other.seconds < row.seconds || other.value !== row.value));
    const spots = timed.map((row) => ({ label: row.contestant.label, contestant: row.contestant, x: row.seconds,
      y: row.value * (board.metric.percent ? 100 : 1), value: row.value, front: onFront(row),
      title: row.contestant.label + ": " + mv.shown(row.value, board.metric) + " in " + mv.seconds(row.seconds) +
        " s, finished " + row.finished + " of " + row.of }));
    return mv.figure({
      title: "Quality and time: " + mv.question(board.choices), name: "quality and time " + mv.question(board.choices),
      caption: "Means of what finished. Filled: finished everything, and no other such method is both as fast and " +
        "as good.",
      draw: (theme) => mv.scatter(spots, theme, { x: "CPU seconds of a trial", y: board.metric.axis }),
      rows: () => [["method", "seconds", board.metric.name, "on_front"]].concat(spots.map((one) => [one.label, one.x,
        one.value, one.front])),
    });
  }

  /* Trivial baselines and methods that use labels: shown, marked, and never ranked. */
  function apart(main, board) {
    const { points, metric } = board;
    const labels = mv.get("labels");
    const rows = board.chosen.filter((i) => points.mean[i] !== null && !points.competes[i]);
    if (!rows.length) return;
    const lines = Array.from(mv.grouped(rows, (i) => points.contestant[i]), ([one, own]) => {
      const ofSets = Array.from(mv.grouped(own, (i) => points.dataset[i]).values(),
        (part) => mv.mean(part.map((i) => points.mean[i])));
      return { contestant: labels.contestants[one], value: mv.mean(ofSets), datasets: ofSets.length,
        picked: own.some((i) => points.label_picked[i]) };
    });
    const scores = mv.scoreColumn(metric, { value: (row) => row.value,
      text: (row) => mv.shown(row.value, metric) });
    main.append(mv.more("Trivial baselines, and methods that use labels: " + lines.length,
      mv.note("Not ranked. Trivial baselines ignore the data: one cluster, random labels. * uses labels: the " +
        "classes, or the best view, parameter or restart by them."),
      mv.table([
        { head: "Method", value: (row) => row.contestant.label + (row.picked ? " *" : ""),
          show: (row) => [mv.link("method", row.contestant.algorithm, row.contestant.label),
            row.picked ? mv.el("span", { class: "picked" }, " *") : null] },
        scores,
        { head: "Data sets", numeric: true, value: (row) => row.datasets },
      ], lines, { name: "baselines " + metric.name, caption: "By " + mv.question(board.choices),
        sort: [1, scores.first] })));
  }

  function allPoints(board) {
    const controls = mv.get("labels").contestants;
    const rows = board.chosen.filter((i) => !controls[board.points.contestant[i]].control);
    return rows.length ? mv.pointTable(board.points, rows, board.metric,
      { name: "all points", data: true, method: true, reasons: true }) : "";
  }
})((window.mvarena = window.mvarena || {}));
