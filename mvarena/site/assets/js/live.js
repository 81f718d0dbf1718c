/* Served pages look every few seconds whether there are newer results, and draw themselves anew. */
(function (mv) {
  "use strict";
  const EVERY = 4000;
  if (window.location.protocol !== "http:") return;

  function look() {
    fetch("state.json", { cache: "no-store" }).then(function (answer) { return answer.json(); }).then(function (state) {
      const known = mv.get("labels");
      if (!known || !state.token) return undefined;
      if (state.token === mv.stamp) {
        say("");
        return undefined;
      }
      if (document.querySelector("details.pick[open]")) return undefined;
      mv.forget();
      mv.stamp = state.token;
      return mv.need("labels").then(function () {
        mv.frame();
        return mv.draw(true);
      }).then(function () {
        say("New results: the page was updated.");
      });
    }).catch(function () {
      say("The server does not answer; the page shows the last results that it received.");
    }).finally(function () {
      setTimeout(look, EVERY);
    });
  }

  function say(text) {
    const line = document.getElementById("live");
    line.hidden = !text;
    line.textContent = text;
  }

  setTimeout(look, EVERY);
})((window.mvarena = window.mvarena || {}));
