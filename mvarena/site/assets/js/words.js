/* Numbers, states and questions in words, as tables of reports have them. */
(function (mv) {
  "use strict";
  const STATUS = {
    DONE: "done", FAILED: "failed", TIMEOUT: "timeout", OUT_OF_MEMORY: "out of memory", CRASHED: "crashed",
    SKIPPED: "skipped", INTERRUPTED: "interrupted", UNSCORED: "not scored", NAN: "NaN",
  };
  mv.NONE = "–";
  mv.BELOW_MEANS = "not significantly above the better trivial baseline (one cluster, random labels), by the 95 % interval of the " +
    "difference";

  mv.status = (name) => STATUS[name] || String(name).toLowerCase();

  mv.metricNamed = function (name) {
    const all = mv.get("labels").metrics;
    return all.find((one) => one.name === name) || all[0];
  };

  mv.metricIndex = (name) => mv.get("labels").metrics.indexOf(mv.metricNamed(name));

  /* How many methods there are results of, the controls apart. */
  mv.methodCount = function () {
    const methods = mv.get("labels").contestants.filter((one) => !one.control);
    return new Set(methods.map((one) => one.algorithm)).size;
  };

  /* 0.74213 as "74.21" in percent; otherwise four significant digits. */
  mv.shown = function (value, metric) {
    if (value === null || value === undefined || Number.isNaN(value)) return mv.NONE;
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    return metric.percent ? (100 * value).toFixed(2) : String(Number(value.toPrecision(4)));
  };

  /* A difference, with its sign. */
  mv.signed = function (value, metric) {
    const text = mv.shown(value, metric);
    return (value > 0 ? "+" : "") + text.replace("-", "−");
  };

  mv.seconds = function (value) {
    if (value === null || value === undefined || Number.isNaN(value)) return mv.NONE;
    return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1)
      : value >= 0.1 || !value ? value.toFixed(2) : String(Number(value.toPrecision(2)));
  };

  mv.measured = (text, unit) => text === mv.NONE ? text : text + " " + unit;

  mv.megabytes = (value) => value === null || value === undefined ? mv.NONE : value.toFixed(0);

  mv.date = (seconds) => seconds === null || seconds === undefined
    ? mv.NONE : new Date(1000 * seconds).toISOString().slice(0, 16).replace("T", " ") + " UTC";

  mv.count = (n, noun, several) => n.toLocaleString("en") + " " + (n === 1 ? noun : several || noun + "s");

  mv.condition = (index) => mv.get("labels").conditions[index].label;

  mv.listed = (words) => words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " +
    words[words.length - 1];

  /* What the numbers of a page are about, as "NMI, all conditions, texts". */
  mv.question = function (choices) {
    const labels = mv.get("labels"), condition = labels.conditions.find((one) => one.name === choices.condition);
    const metric = mv.metricNamed(choices.metric);
    const unchanged = choices.condition === "none" && labels.datasets.some((one) => one.incomplete.includes(metric.name) &&
      ["kind", "size"].every((name) => !choices[name] || one[name] === choices[name]));
    const words = unchanged ? "unchanged data" : condition ? condition.words : "all conditions";
    const parts = [metric.label, words, choices.kind, choices.size];
    return parts.filter(Boolean).join(", ");
  };
})((window.mvarena = window.mvarena || {}));
