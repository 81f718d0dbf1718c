/* Which page the address means, and drawing it. */
(function (mv) {
  "use strict";
  const NAV = [["board", "Leader board"], ["comparison", "Comparison"], ["pareto", "Quality and time"], ["scaling", "Scaling"],
    ["datasets", "Data sets"], ["methods", "Methods"], ["quality", "Quality"], ["studies", "Studies"], ["trials", "Trials"]];
  const ABOUT = {
    board: "Methods by mean rank over corpora, with ratings, scores on each corpus, and what may be claimed.",
    comparison: "Each pair of methods: mean gain, corpora won, level and lost, and the p-value of that gain.",
    pareto: "Scores against seconds: the front holds the methods that no other beats in both.",
    scaling: "Seconds of a trial against the number of samples.",
    datasets: "The data that the results are of, with the best score on each.",
    dataset: "One data set: its views and classes, what corruptions remove, and every score on it.",
    methods: "The methods that were run, with the trials that did not finish.",
    method: "One method: what it does and costs, its rank on each corpus, and every score.",
    quality: "What is missing, failed, collapsed or no better than a control.",
    studies: "The commands and study files behind the results.",
    study: "One study: the command, its trials, the environment.",
    trials: "Every stored trial.",
    trial: "One trial: settings, scores of each restart, labels against classes.",
  };
  const PARENT = { dataset: "datasets", method: "methods", study: "studies", trial: "trials" };
  let stop = null;
  let turn = 0;

  function route() {
    const path = window.location.hash.split("?")[0].replace(/^#\/?/, "");
    const parts = path.split("/");
    let name;
    try {
      name = decodeURIComponent(parts.slice(1).join("/"));
    } catch {
      name = parts.slice(1).join("/");
    }
    return { page: parts[0] || "board", name: name };
  }

  mv.unknown = function (main, what, name, list) {
    main.append(mv.el("h1", {}, "Not here"), mv.el("p", { class: "claim" }, "There is no " + what + " called '", mv.name(name), "' in these results. ",
      mv.el("a", { href: "#/" + list }, "See all there are.")));
  };

  /* Draw the page of the address anew; `keep`: stay where the reader is. */
  mv.draw = function (keep) {
    const own = ++turn;
    const to = route();
    const top = window.scrollY;
    const old = document.getElementById("main");
    const main = mv.el("main", { id: "main", tabindex: "-1" });
    if (stop) stop();
    stop = null;
    const labels = mv.get("labels");
    const choices = mv.choices();
    navigation(to, choices);
    let drawn;
    if (!labels.n_trials) drawn = Promise.resolve(empty(main));
    else if (!Object.prototype.hasOwnProperty.call(mv.pages, to.page)) drawn = Promise.resolve(mv.unknown(main, "page", to.page, "board"));
    else drawn = mv.pages[to.page](main, choices, to.name);
    return drawn.then(function (stopping) {
      if (own !== turn) return;
      stop = typeof stopping === "function" ? stopping : null;
      show();
    }, function (error) {
      if (own !== turn) return;
      main.append(mv.el("p", { class: "claim trouble" }, error.message));
      show();
      throw error;
    });

    function show() {
      old.replaceWith(main);
      const heading = main.querySelector("h1");
      document.title = (heading ? heading.textContent + " · " : "") + "mvarena";
      main.dataset.page = to.page;
      if (heading && ABOUT[to.page]) heading.after(mv.el("p", { class: "about" }, ABOUT[to.page]));
      if (keep) window.scrollTo(0, top);
      else window.scrollTo(0, 0);
    }
  };

  function empty(main) {
    main.append(mv.el("h1", {}, "No results yet"), mv.el("p", { class: "claim" },
      "The database holds no finished, failed or skipped trial; run a study first."));
  }

  function navigation(to, choices) {
    const list = document.getElementById("nav");
    const here = PARENT[to.page] || to.page;
    list.replaceChildren.apply(list, NAV.map(function (one) {
      return mv.el("li", {}, mv.el("a", { href: "#/" + one[0] + mv.queryOf(mv.carried(choices)), "aria-current": here === one[0] ? "page" : null }, one[1]));
    }));
    const current = list.querySelector("[aria-current]");
    const frame = list.parentElement;
    if (current) frame.scrollLeft = current.offsetLeft - (frame.clientWidth - current.offsetWidth) / 2;
  }

  mv.frame = function () {
    const labels = mv.get("labels");
    const unfinished = Object.keys(labels.statuses).filter(function (one) { return one !== "DONE"; }).map(function (one) {
      return labels.statuses[one].toLocaleString("en") + " " + mv.status(one);
    });
    const corpora = new Set(labels.datasets.map(function (one) { return one.corpus; })).size;
    const sets = mv.count(labels.datasets.length, "data set") +
      (corpora < labels.datasets.length ? " of " + (corpora === 1 ? "one corpus" : corpora + " corpora") : "");
    const counts = mv.count(mv.methodCount(), "method") + ", " + sets + ", " + mv.count(labels.n_trials, "trial") + (unfinished.length ? ", " + unfinished.join(", ") : "");
    document.getElementById("of").replaceChildren(mv.name(labels.title), mv.el("small", {}, counts));
    const left = labels.metrics_left_out.length ? " Metrics without room here: " + labels.metrics_left_out.join(", ") + "; name those to show when writing the site." : "";
    document.getElementById("foot").replaceChildren(mv.el("p", {}, "Written " + labels.written.slice(0, 16).replace("T", " ") + " UTC by mvarena " + labels.mvarena +
      ". The numbers are those of 'mvarena report'. * marks what uses labels. " + labels.older + left));
  };

  function start() {
    mv.startTheme(function () { mv.draw(true); });
    mv.need("labels").then(function () {
      mv.frame();
      window.addEventListener("hashchange", function (event) {
        const pages = [event.oldURL, event.newURL].map(function (url) { return url.split("#")[1] || ""; }).map(function (hash) { return hash.split("?")[0]; });
        if (window.location.hash === "#main") return;
        mv.draw(pages[0] === pages[1]).then(function () {
          if (pages[0] !== pages[1]) document.getElementById("main").focus({ preventScroll: true });
        });
      });
      return mv.draw(false);
    }).catch(function (error) {
      document.getElementById("main").replaceChildren(mv.el("p", { class: "claim trouble" }, error.message));
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})((window.mvarena = window.mvarena || {}));
