/* Drawings: elements of SVG, colours of the two looks, ticks, dashes. */
(function (mv) {
  "use strict";
  const SPACE = "http://www.w3.org/2000/svg";
  mv.FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
  mv.INK = {
    light: { ink: "#1c2330", muted: "#5d6675", line: "#dcdcd5", faint: "#eeeeea", panel: "#ffffff", good: "#0b7a5b",
      bad: "#b4451f", accent: "#1f5fbf" },
    dark: { ink: "#e7e9ed", muted: "#9aa3b0", line: "#363d48", faint: "#262c35", panel: "#1b1f26", good: "#45c7a0",
      bad: "#f0885f", accent: "#86b4ff" },
  };
  /* The report's colours, and lighter ones of the same names on dark ground. */
  mv.HUES = {
    light: { black: "#000000", blue: "#0072B2", vermilion: "#D55E00", green: "#009E73", pink: "#CC79A7",
      sky: "#56B4E9", orange: "#E69F00", indigo: "#332288", wine: "#882255" },
    dark: { black: "#f2f2f2", blue: "#4aa8e0", vermilion: "#ff8a3d", green: "#2fcf9f", pink: "#e59cc4", sky: "#8fd0f7",
      orange: "#f5bf42", indigo: "#9a8cf0", wine: "#d9709f" },
  };

  /* s("rect", {x: 1}, child, ...): numbers are rounded, texts go in as texts. */
  mv.s = function (tag, attributes) {
    const made = document.createElementNS(SPACE, tag);
    Object.keys(attributes || {}).forEach(function (name) {
      const value = attributes[name];
      if (value === null || value === undefined) return;
      made.setAttribute(name, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
    });
    Array.prototype.slice.call(arguments, 2).forEach(function add(child) {
      if (Array.isArray(child)) child.forEach(add);
      else if (child !== null && child !== undefined) {
        made.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
      }
    });
    return made;
  };

  /* A drawing that scales with the page. */
  mv.canvas = function (width, height, children) {
    const size = { viewBox: "0 0 " + Math.ceil(width) + " " + Math.ceil(height), width: "100%" };
    const drawn = mv.s("svg", Object.assign(size, { "font-family": mv.FONT, "font-size": 12, role: "img" }), children);
    drawn.style.maxWidth = Math.ceil(width) + "px";
    return drawn;
  };

  /* Text at a place; anchor start, middle or end. */
  mv.write = function (x, y, text, colour, more) {
    return mv.s("text", Object.assign({ x: x, y: y, fill: colour }, more || {}), text);
  };

  /* Roughly how wide a text is in 12 px. */
  mv.wide = function (text) {
    return 7.3 * Array.from(String(text)).length;
  };

  mv.cut = function (text, most) {
    const letters = Array.from(String(text));
    if (letters.length <= most) return String(text);
    const end = Math.floor((most - 1) / 2);
    return letters.slice(0, most - 1 - end).join("") + "…" + letters.slice(letters.length - end).join("");
  };

  /* Names -> these in at most so many letters; two that would read alike have a number. */
  mv.cuts = function (names, most) {
    const found = new Map();
    const taken = new Set();
    new Set(names).forEach((name) => {
      let text = mv.cut(name, most);
      for (let n = 2; taken.has(text); n++) text = mv.cut(name, most - 2 - String(n).length) + " #" + n;
      taken.add(text);
      found.set(name, text);
    });
    return found;
  };

  mv.colourOf = function (contestant, theme) {
    return mv.HUES[theme][contestant.muted ? mv.familyHue(contestant.family) : contestant.colour];
  };

  /* The colour of a family: in the order of their names, the same on every page. */
  mv.familyHue = function (family) {
    const hues = ["blue", "vermilion", "green", "pink", "sky", "orange", "indigo", "wine"];
    const methods = mv.get("labels").contestants.filter((one) => !one.control);
    const names = Array.from(new Set(methods.map((one) => one.family))).sort();
    const place = names.indexOf(family);
    return place < 0 ? "black" : hues[place % hues.length];
  };

  const DASHES = { solid: null, dashed: "8 3", dotted: "2 2.4", dashdot: "9 3 2 3", short: "4 2.6",
    dashdotdot: "9 2.4 2 2.4 2 2.4" };
  mv.dash = function (contestant) {
    return DASHES[contestant.dash];
  };

  mv.marker = (x, y, contestant, theme, size) => mv.s("circle",
    { cx: x, cy: y, r: size, fill: mv.colourOf(contestant, theme) });

  /* Round numbers that cover [low, high], about `count` of them. */
  mv.ticks = function (low, high, count) {
    const span = high - low || Math.abs(high) || 1;
    const power = Math.pow(10, Math.floor(Math.log10(span / count)));
    const step = power * ([1, 2, 5, 10].find(function (one) { return span / (power * one) <= count; }) || 10);
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high +
      1e-9 * step; i++) found.push(Number((i * step).toPrecision(12)));
    return found;
  };
})((window.mvarena = window.mvarena || {}));
