// Order of search results: pages that explain before the pages of single methods and data sets, questions first.
var Scorer = {
  score: ([docname, title, anchor, descr, score]) => {
    if (docname === "howto/faq") return score + 8;
    if (/^(methods|data)\/(?!index)/.test(docname)) return score - 10;
    if (/^(results|reference)\//.test(docname)) return score - 3;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
