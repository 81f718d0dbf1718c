// Order of search results: a page whose title was typed first, then pages that explain before those of single
// methods and data sets, questions first; a name of Python's goes before pages only where it is what was typed.
var Scorer = {
  score: ([docname, title, anchor, descr, score]) => {
    const typed = new URLSearchParams(location.search).get("q");
    if (!descr && title.toLowerCase() === typed?.trim().toLowerCase()) return score + 20;
    if (docname === "howto/faq") return score + 8;
    if (/^explanation\//.test(docname)) return score + 2;
    if (/^(methods|data)\/(?!index)/.test(docname)) return score - 10;
    if (/^(results|reference)\//.test(docname)) return score - 3;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 0,
  objPrio: { 0: 5, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
