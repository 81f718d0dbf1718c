/* The data of the site: scripts hand them in by name, and pages ask for those they need. */
(function (mv) {
  "use strict";
  const held = {};
  const waiting = {};

  mv.put = (name, value) => { held[name] = value; };

  mv.get = (name) => held[name];

  function load(name) {
    if (name in held) return Promise.resolve(held[name]);
    if (waiting[name]) return waiting[name];
    waiting[name] = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = "data/" + name + ".js";
      script.onload = () => {
        script.remove();
        if (name in held) resolve(held[name]);
        else reject(new Error("data/" + name + ".js holds nothing of that name; write the site again."));
      };
      script.onerror = () => {
        script.remove();
        delete waiting[name];
        reject(new Error("data/" + name + ".js cannot be read; it belongs beside this page: write the site again."));
      };
      document.head.appendChild(script);
    });
    return waiting[name];
  }

  /* A promise of the data of those names, in their order. */
  mv.need = (...names) => Promise.all(names.map(load));

  /* The text in row i of a column of few different values. */
  mv.text = function (column, i) {
    const code = column.codes[i];
    return code < 0 ? "" : column.values[code];
  };

  /* A promise of the points of a metric: a row for each data set, condition and method. */
  mv.needPoints = function (metric) {
    const index = mv.metricIndex(metric);
    return mv.need("points", "points-" + index, "boards-" + index).then((data) => [Object.assign({}, data[0], data[1]),
      data[2]]);
  };
})((window.mvarena = window.mvarena || {}));
