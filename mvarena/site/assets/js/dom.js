/* Elements from data. Every text goes in as text: nothing here reads markup. */
(function (mv) {
  "use strict";

  /* el("a", {href: "#/board", class: "x", onclick: f}, child, ...): children are elements, texts, or lists of these. */
  mv.el = function (tag, attributes, ...children) {
    const made = document.createElement(tag);
    Object.keys(attributes || {}).forEach((name) => {
      const value = attributes[name];
      if (value === null || value === undefined || value === false) return;
      if (name.slice(0, 2) === "on") made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    });
    append(made, children);
    return made;
  };

  function append(made, children) {
    children.forEach((child) => {
      if (child === null || child === undefined || child === false) return;
      if (Array.isArray(child)) append(made, child);
      else made.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
    });
  }

  /* A name that others chose: its direction of writing stays its own. */
  mv.name = (text) => mv.el("bdi", {}, text);

  mv.link = (route, name, text) => mv.el("a", { href: mv.href(route, name) },
    mv.name(text === undefined ? name : text));

  mv.href = (route, name) => "#/" + route + (name === undefined ? "" : "/" + encodeURIComponent(name));

  /* A method by its name, with its family. */
  mv.methodLink = (contestant) => [mv.link("method", contestant.algorithm, contestant.label),
    contestant.family ? [" ", mv.el("span", { class: "tag" }, contestant.family)] : null];

  /* Pairs of a word and what it stands for; those without anything are left out. */
  mv.facts = function (pairs) {
    const there = pairs.filter((pair) => pair[1] !== "" && pair[1] !== null && pair[1] !== undefined);
    return mv.el("dl", { class: "facts" }, there.map((pair) => [mv.el("dt", {}, pair[0]), mv.el("dd", {}, pair[1])]));
  };

  mv.note = (...children) => mv.el("p", { class: "note" }, ...children);

  mv.button = (text, onclick, more) => mv.el("button", Object.assign({ type: "button", class: "plain",
    onclick: onclick }, more), text);

  mv.more = (summary, ...children) => mv.el("details", { class: "more" }, mv.el("summary", {}, summary), ...children);

  const keyOf = (element) => element.dataset.key || element.getAttribute("href");

  /* Keep the focus while elements are drawn anew. To be called before; what it returns, called after, hands the focus
     to the element with the same data-key or address, and to the page where there is none that can have it. */
  mv.heldFocus = function () {
    const held = document.activeElement;
    const key = keyOf(held);
    const byKeyboard = held.matches(":focus-visible");
    return () => {
      if (held.isConnected || document.activeElement !== document.body) return;
      const again = Array.from(document.querySelectorAll("[data-key], [href]")).find((one) => keyOf(one) === key);
      [again, document.getElementById("main")].filter(Boolean).some((one) => {
        one.focus({ preventScroll: !byKeyboard }); // by the mouse, the page stays where it is
        return document.activeElement === one;
      });
    };
  };

  /* A text to be copied as it is. */
  mv.code = function (text) {
    const button = mv.button("Copy", () => mv.copy(text, button), { class: "plain copy" });
    return mv.el("div", { class: "coded" }, mv.el("pre", { class: "code", tabindex: "0" }, text), button);
  };

  /* A wide child in a frame that scrolls, with a shadow at each edge where it is cut. */
  mv.scroller = function (child, label) {
    const inner = mv.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label, onscroll: look },
      child);
    const outer = mv.el("div", { class: "edges" }, inner);
    function look() {
      outer.classList.toggle("cut-left", inner.scrollLeft > 1);
      outer.classList.toggle("cut-right", inner.scrollLeft + inner.clientWidth < inner.scrollWidth - 1);
    }
    new ResizeObserver(look).observe(child);
    new ResizeObserver(look).observe(inner);
    return outer;
  };
})((window.mvarena = window.mvarena || {}));
