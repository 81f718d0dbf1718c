/* Numbers and states in words, as tables of reports have them. */
(function (mv) {
  "use strict";
  const STATUS = {
    DONE: "done", FAILED: "failed", TIMEOUT: "timeout", OUT_OF_MEMORY: "out of memory", CRASHED: "crashed",
    SKIPPED: "skipped", INTERRUPTED: "interrupted", UNSCORED: "not scored", NAN: "NaN", INCOMPLETE: "not run at all rates",
  };
  mv.NONE = "–";

  mv.status = function (name) {
    return STATUS[name] || String(name).toLowerCase();
  };

  mv.metricNamed = function (name) {
    const all = mv.get("labels").metrics;
    return all.find(function (one) { return one.name === name; }) || all[0];
  };

  /* How many methods there are results of, the controls apart. */
  mv.methodCount = function () {
    const methods = mv.get("labels").contestants.filter(function (one) { return !one.control; });
    return new Set(methods.map(function (one) { return one.algorithm; })).size;
  };

  mv.metricPlace = function (name) {
    return mv.get("labels").metrics.indexOf(mv.metricNamed(name));
  };

  /* 0.74213 as "74.21" in percent; otherwise four significant digits. */
  mv.shown = function (value, metric) {
    if (value === null || value === undefined || Number.isNaN(value)) return mv.NONE;
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    return metric.percent ? (100 * value).toFixed(2) : four(value);
  };

  function four(value) {
    return String(Number(value.toPrecision(4)));
  }

  mv.seconds = function (value) {
    if (value === null || value === undefined || Number.isNaN(value)) return mv.NONE;
    return value < 1000 ? String(Number(value.toPrecision(3))) : value.toFixed(0);
  };

  mv.duration = function (value) {
    if (!(value >= 0)) return mv.NONE;
    if (value < 120) return mv.seconds(value) + " s";
    if (value < 7200) return (value / 60).toFixed(0) + " min";
    return (value / 3600).toFixed(1) + " h";
  };

  mv.megabytes = function (value) {
    return value === null || value === undefined ? mv.NONE : value.toFixed(0);
  };

  mv.date = function (seconds) {
    return seconds === null || seconds === undefined
      ? mv.NONE : new Date(1000 * seconds).toISOString().slice(0, 16).replace("T", " ") + " UTC";
  };

  mv.count = function (n, noun) {
    return n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");
  };

  /* The corruption and the rate, as "missing-even 0.3". */
  mv.condition = function (corruption, rate) {
    const one = mv.get("labels").corruptions[corruption];
    return one.name === "none" ? "as they are" : one.label + " " + Number(rate.toPrecision(6));
  };

  mv.listed = function (words) {
    if (words.length < 2) return words.join("");
    return words.slice(0, -1).join(", ") + " and " + words[words.length - 1];
  };
})((window.mvarena = window.mvarena || {}));
