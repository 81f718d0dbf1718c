/* Which page the address means, and drawing it. */
(function (mv) {
  "use strict";
  const NAV = [["board", "Leader board"], ["datasets", "Data sets"], ["methods", "Methods"], ["trials", "Trials"],
    ["quality", "Quality"], ["claims", "Claims"]];
  const PARENT = { dataset: "datasets", method: "methods", trial: "trials" };
  let turn = 0;

  function route() {
    const [page, ...rest] = window.location.hash.split("?")[0].replace(/^#\/?/, "").split("/");
    let name = rest.join("/");
    try {
      name = decodeURIComponent(name);
    } catch {
      /* an address that somebody typed stays as it is */
    }
    return { page: page || "board", name: name };
  }

  mv.unknown = function (main, what, name, list) {
    main.append(mv.el("h1", {}, "Page not found"), mv.el("p", { class: "claim" }, "There is no " + what + " called '",
      mv.name(name), "' in these results. ",
      mv.el("a", { href: "#/" + list }, "See all there are.")));
  };

  /* Draw the page of the address anew; `keep`: stay where the reader is. */
  mv.draw = function (keep) {
    const own = ++turn;
    const to = route();
    const top = window.scrollY;
    const old = document.getElementById("main");
    const refocus = keep ? mv.heldFocus() : () => {};
    const main = mv.el("main", { id: "main", tabindex: "-1" });
    const choices = mv.choices();
    navigation(to, choices);
    const known = Object.prototype.hasOwnProperty.call(mv.pages, to.page);
    const drawn = known ? mv.pages[to.page](main, choices, to.name) : Promise.resolve(mv.unknown(main, "page", to.page,
      "board"));
    return drawn.then(show, (error) => {
      main.append(mv.el("p", { class: "claim trouble" }, error.message));
      show();
      throw error;
    });

    function show() {
      if (own !== turn) return;
      old.replaceWith(main);
      const heading = main.querySelector("h1");
      document.title = (heading ? heading.textContent + " · " : "") + "mvarena";
      main.dataset.page = to.page;
      window.scrollTo(0, keep ? top : 0);
      refocus();
    }
  };

  function navigation(to, choices) {
    const list = document.getElementById("nav");
    const here = PARENT[to.page] || to.page;
    list.replaceChildren(...NAV.map(([page, text]) => mv.el("li", {}, mv.el("a",
      { href: "#/" + page + mv.queryOf(mv.carried(choices)),
      "aria-current": here === page ? "page" : null }, text))));
    const current = list.querySelector("[aria-current]");
    const frame = list.parentElement;
    if (current) frame.scrollLeft = current.offsetLeft - (frame.clientWidth - current.offsetWidth) / 2;
  }

  function frame() {
    const labels = mv.get("labels");
    const unfinished = Object.keys(labels.statuses).filter((one) => one !== "DONE")
      .map((one) => labels.statuses[one].toLocaleString("en") + " " + mv.status(one));
    const corpora = new Set(labels.datasets.map((one) => one.corpus)).size;
    const sets = mv.count(labels.datasets.length, "data set") + (corpora < labels.datasets.length ? " of " +
      mv.count(corpora, "corpus", "corpora") : "");
    const counts = [mv.count(mv.methodCount(), "method"), sets, mv.count(labels.n_trials,
      "trial")].concat(unfinished).join(", ");
    document.getElementById("of").replaceChildren(mv.name(labels.title), mv.el("small", {}, counts));
    document.getElementById("foot").replaceChildren(mv.el("p", {}, "Written " +
      labels.written.slice(0, 16).replace("T", " ") + " UTC by mvarena " + labels.mvarena +
      ", from the same numbers as 'mvarena report'. " + labels.older));
  }

  /* Figures are drawn as wide as the page: again where that has changed. */
  function followWidth() {
    let wide = document.documentElement.clientWidth;
    window.addEventListener("resize", () => {
      const now = document.documentElement.clientWidth;
      if (Math.abs(now - wide) < 40) return;
      wide = now;
      mv.draw(true);
    });
  }

  function start() {
    mv.followTheme(() => mv.draw(true));
    mv.need("labels").then(() => {
      frame();
      followWidth();
      document.querySelector(".skip").addEventListener("click", (event) => {
        event.preventDefault(); // an address of "#main" would be that of no page
        document.getElementById("main").focus();
      });
      window.addEventListener("hashchange", (event) => {
        const pages = [event.oldURL, event.newURL].map((url) => (url.split("#")[1] || "").split("?")[0]);
        mv.draw(pages[0] === pages[1]).then(() => {
          if (pages[0] !== pages[1]) document.getElementById("main").focus({ preventScroll: true });
        });
      });
      return mv.draw(false);
    }).catch((error) => {
      document.getElementById("main").replaceChildren(mv.el("p", { class: "claim trouble" }, error.message));
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})((window.mvarena = window.mvarena || {}));
