import { MayflyError } from './errors.ts'

/**
 * Refuses the misspelled name of an option, which would be ignored.
 * @param known all names of options; the compiler compares them with the type of the options
 * @param place for the error: `new Mayfly()`
 * @throws MayflyError for an unknown option, even if its value is undefined, with the nearest known name
 */
export function checkNames(options: object | null | undefined, known: Record<string, true>, place: string): void {
  if (options != null && typeof options !== 'object') throw new MayflyError(`${place}: the options must be an object`)
  for (const name of Object.keys(options ?? {})) {
    if (!Object.hasOwn(known, name)) throw unknownName(name, Object.keys(known), `${place}: unknown option`)
  }
}

/**
 * The error of an unknown name.
 * @param text its beginning
 * @param isListed whether it lists all known names, also when one is near
 */
export function unknownName(name: string, known: readonly string[], text: string, isListed = false): MayflyError {
  const given = letters(name)
  const sorted = known.map((each) => ({ each, cost: costOf(given, letters(each)) })).sort((a, b) => a.cost - b.cost)
  // at most a third of the letters is wrong, rounded up
  const isNear = sorted[0]!.cost * 3 <= given.length + 2
  return new MayflyError(`${text} ${name}.${isNear ? ` Did you mean ${sorted[0]!.each}?` : ''}`
    + (isListed || !isNear ? ` Known are ${sorted.map(({ each }) => each).join(', ')}.` : ''))
}

/** A name without its case and its separators: `base_url` and `baseUrl` are the same. */
const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The edit distance of two names; small where one contains the other, as `timeoutMs` contains `timeout`. */
function costOf(given: string, known: string): number {
  if (given.length > 2 && known.includes(given)) return (known.length - given.length) / 99 // below 1: less than one wrong letter
  let row = Array.from(`${known} `, (_, i) => i)
  for (const letter of given) {
    let left = Infinity
    row = row.map((above, i) => left = Math.min(above + 1, left + 1, (row[i - 1] ?? Infinity) + Number(letter !== known[i - 1])))
  }
  return row.at(-1)!
}
