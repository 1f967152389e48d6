/**
 * The options of the search, for the index, the page and the test. The site writes the functions into its pages as text, so each has all
 * that it needs within it.
 */
export const searchOptions = {
  options: {
    /** The name of a variable is one word. */
    tokenize: (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [],
    /** Leaves out words that questions consist of, and an `s` at the end. */
    processTerm: (term: string): string | null => {
      const word = term.toLowerCase()
      const words = ' a an and are as at be by can do does for from get has have how i in is it its my of on or that the their there this to what when where which who why with you your '
      return words.includes(` ${word} `) ? null : word.length > 4 ? word.replace(/(?<!s)s$/, '') : word
    },
  },
  searchOptions: {
    fuzzy: 0.2,
    bm25: { k: 1.2, b: 0.3, d: 0.5 }, // a long table is no worse than a short paragraph
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    /** Pages for users come before those for developers of Mayfly, and before the list of operations. */
    boostDocument: (id: string): number => /\/(api|decisions|project)\//.test(id) ? 0.3 : 1,
  },
}
