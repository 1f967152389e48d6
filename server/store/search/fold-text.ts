const beyondAscii = /[^\0-\x7f]/
/**
 * Combining marks that are kept of a run, as in the Stream-Safe Text Format (UAX #15, section 13). Normalization sorts
 * each run by combining class, which takes time quadratic in its length.
 */
const maxMarks = 30
/** Everything that NFKD decomposes to combining marks: also the halfwidth voiced sound marks, which are letters. */
const marks = String.raw`[\p{M}\uff9e\uff9f]`
const longRun = new RegExp(`(?<=${marks}{${maxMarks}})${marks}+`, 'gu')
const accents = /[\u0300-\u036f]/g

/**
 * Removes differences of case, width, ligatures and accents; и and й become equal, as do ε and έ. Takes time linear in the
 * length of the text. One character can become eighteen.
 */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  return text.replace(longRun, '').normalize('NFKD').replace(accents, '').toUpperCase().toLowerCase()
    .replaceAll('ς', 'σ').replace(accents, '').normalize('NFC')
}
