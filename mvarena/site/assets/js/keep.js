/* Tables and texts to keep: as files of comma-separated values or LaTeX, or in the clipboard. */
(function (mv) {
  "use strict";

  /* What a spreadsheet would run as a formula gets an apostrophe in front; numbers stay. */
  mv.guarded = function (text) {
    const runs = /^[=+\-@\t\r]/.test(text) && (text.trim() !== text || !Number.isFinite(Number(text)));
    return runs ? "'" + text : text;
  };

  function cell(value) {
    const text = value === null || value === undefined || Number.isNaN(value) ? "" : mv.guarded(String(value));
    return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }

  mv.csv = (rows) => rows.map((row) => row.map(cell).join(",") + "\n").join("");

  const UNSET = "ĦħĸĿŀŉŦŧſ"; // the letters of Latin Extended-A that T1 fonts lack
  const SIGNS = {
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}", "±": "$\\pm$", "°": "$^\\circ$", "×": "$\\times$", "≤": "$\\leq$", "≥": "$\\geq$",
    "−": "$-$", "–": "--", "—": "---", "…": "\\dots{}", "†": "$\\dagger$", "‡": "$\\ddagger$", "’": "'",
  };

  /* As reports have it: what pdfLaTeX does not set by itself stands as its Unicode number. */
  function latexText(text) {
    return Array.from(String(text).normalize("NFC").trim().replace(/\s+/g, " "), (sign) => SIGNS[sign] ||
      (/^[ -~]$|^(?=\p{Script=Latin})[\u00c0-\u017f]$/u.test(sign) && !UNSET.includes(sign) ? sign
        : "[U+" + sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]")).join("");
  }

  /* Braces keep "[" and "*" from being read as arguments of the line before. */
  const headOf = ([first, ...others]) => [/^[[*]/.test(first) ? "{" + first + "}" : first, ...others];

  /* heads, rows of texts, and for each column whether it holds numbers; for \usepackage{booktabs}. */
  mv.latex = function (heads, rows, numeric) {
    const line = (cells) => "  " + headOf(cells.map(latexText)).join(" & ") + " \\\\\n";
    return "\\begin{tabular}{" + numeric.map((one) => one ? "r" : "l").join("") + "}\n  \\toprule\n" + line(heads) +
      "  \\midrule\n" +
      rows.map(line).join("") + "  \\bottomrule\n\\end{tabular}\n";
  };

  /* Offer `text` as a file of that name. */
  mv.save = function (name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type: type }));
    const link = mv.el("a", { href: address, download: name });
    document.body.appendChild(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };

  /* Put `text` into the clipboard, and say so on the button for a while. */
  mv.copy = function (text, button) {
    const word = button.textContent;
    const say = (done) => {
      button.textContent = done ? "Copied" : "Not allowed here";
      setTimeout(() => { button.textContent = word; }, 2000);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say(true), () => say(selected(text)));
    else say(selected(text));
  };

  /* For pages that may not write into the clipboard by themselves. */
  function selected(text) {
    const box = mv.el("textarea", { class: "away" }, text);
    document.body.appendChild(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }

  mv.fileName = (text) => text.toLowerCase().replace(/[^a-z0-9.]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80) ||
    "unnamed";
})((window.mvarena = window.mvarena || {}));
