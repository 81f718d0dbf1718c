/* Comma-separated values and files to keep. */
(function (mv) {
  "use strict";

  /* What a spreadsheet would run as a formula gets an apostrophe in front; numbers stay. */
  function cell(value) {
    let text = value === null || value === undefined ? "" : String(value);
    if (/^[=+\-@\t\r]/.test(text) && (text.trim() !== text || !Number.isFinite(Number(text)))) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }

  mv.csv = function (rows) {
    return rows.map(function (row) { return row.map(cell).join(",") + "\n"; }).join("");
  };

  /* Offer `text` as a file of that name. */
  mv.save = function (name, kind, text) {
    const address = URL.createObjectURL(new Blob([text], { type: kind }));
    const link = mv.el("a", { href: address, download: name });
    document.body.appendChild(link);
    link.click();
    link.remove();
    setTimeout(function () { URL.revokeObjectURL(address); }, 10000);
  };

  mv.fileName = function (text) {
    return text.toLowerCase().replace(/[^a-z0-9.]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80) || "unnamed";
  };
})((window.mvarena = window.mvarena || {}));
