/* A figure: drawn in the look of the page, kept as SVG in the light look, and its numbers as CSV. */
(function (mv) {
  "use strict";

  /* what: title, caption, name (of the files), draw(theme) -> SVG or null, rows() -> rows of the CSV, the first its
     head. */
  mv.figure = function (what) {
    const drawn = what.draw(mv.theme());
    if (!drawn) return null;
    drawn.setAttribute("aria-label", what.title + ". " + (what.caption || ""));
    const stem = "figure-" + mv.fileName(what.name);
    return mv.el("figure", {},
      mv.el("figcaption", {}, mv.el("strong", {}, what.title), what.caption ? " " + what.caption : null),
      mv.scroller(drawn, what.title),
      mv.el("p", { class: "tools" },
        mv.button("SVG", () => mv.save(stem + ".svg", "image/svg+xml", svgText(what.draw("light")))),
        mv.button("CSV", () => mv.save(stem + ".csv", "text/csv", mv.csv(what.rows())))));
  };

  /* A drawing as a file that stands by itself, on a ground of its own. */
  function svgText(drawn) {
    drawn.insertBefore(mv.s("rect", { width: "100%", height: "100%", fill: mv.INK.light.panel }), drawn.firstChild);
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(drawn) + "\n";
  }
})((window.mvarena = window.mvarena || {}));
