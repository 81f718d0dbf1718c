/* Light or dark, as the system has it. */
(function (mv) {
  "use strict";
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  mv.theme = () => dark.matches ? "dark" : "light";

  mv.followTheme = (redraw) => dark.addEventListener("change", redraw);
})((window.mvarena = window.mvarena || {}));
