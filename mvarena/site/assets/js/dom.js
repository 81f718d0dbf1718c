/* Elements from data. Every text goes in as text: nothing here reads markup. */
(function (mv) {
  "use strict";

  /* el("a", {href: "#/board", class: "x", onclick: f}, child, ...): children are elements, texts, or lists of these. */
  mv.el = function (tag, attributes) {
    const made = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      const value = attributes[name];
      if (value === null || value === undefined || value === false) return;
      if (name.slice(0, 2) === "on") made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    });
    append(made, Array.prototype.slice.call(arguments, 2));
    return made;
  };

  function append(made, children) {
    children.forEach(function (child) {
      if (child === null || child === undefined || child === false) return;
      if (Array.isArray(child)) append(made, child);
      else made.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
    });
  }

  /* A name that others chose: its direction of writing stays its own. */
  mv.name = function (text) {
    return mv.el("bdi", {}, text);
  };

  mv.link = function (route, name, text) {
    return mv.el("a", { href: mv.href(route, name) }, mv.name(text === undefined ? name : text));
  };

  mv.href = function (route, name) {
    return "#/" + route + (name === undefined ? "" : "/" + encodeURIComponent(name));
  };

  /* Pairs of a word and what it stands for; those without anything are left out. */
  mv.facts = function (pairs) {
    const there = pairs.filter(function (pair) { return pair[1] !== "" && pair[1] !== null && pair[1] !== undefined; });
    return mv.el("dl", { class: "facts" }, there.map(function (pair) {
      return [mv.el("dt", {}, pair[0]), mv.el("dd", {}, pair[1])];
    }));
  };

  mv.note = function (text) {
    return mv.el("p", { class: "note" }, text);
  };

  /* A text to be copied as it is. */
  mv.code = function (text) {
    const button = mv.el("button", { type: "button", class: "plain copy" }, "Copy");
    button.addEventListener("click", function () {
      const done = function () { button.textContent = "Copied"; };
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, function () { select(block); });
      else select(block);
    });
    const block = mv.el("pre", { class: "code", tabindex: "0" }, text);
    return mv.el("div", { class: "coded" }, block, button);
  };

  function select(block) {
    window.getSelection().selectAllChildren(block);
  }
})((window.mvarena = window.mvarena || {}));
