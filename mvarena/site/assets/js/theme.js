/* Light or dark: as the system has it, unless the reader chose. */
(function (mv) {
  "use strict";
  const KEY = "mvarena-theme";
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function kept() {
    try {
      return window.localStorage.getItem(KEY);
    } catch {
      return null; // some browsers keep nothing for files
    }
  }

  function keep(value) {
    try {
      window.localStorage.setItem(KEY, value);
    } catch {
      /* the choice lasts as long as the page */
    }
  }

  mv.theme = function () {
    return document.documentElement.dataset.theme;
  };

  function set(name) {
    document.documentElement.dataset.theme = name;
  }

  set(kept() || (dark.matches ? "dark" : "light"));

  mv.startTheme = function (redraw) {
    const button = document.getElementById("theme");
    function show() {
      const other = mv.theme() === "dark" ? "light" : "dark";
      button.textContent = other === "dark" ? "Dark" : "Light";
      button.setAttribute("aria-label", "Switch to the " + other + " look");
    }
    function turn(name) {
      set(name);
      show();
      redraw();
    }
    button.addEventListener("click", function () {
      const other = mv.theme() === "dark" ? "light" : "dark";
      keep(other);
      turn(other);
    });
    dark.addEventListener("change", function (event) {
      if (!kept()) turn(event.matches ? "dark" : "light");
    });
    show();
  };
})((window.mvarena = window.mvarena || {}));
