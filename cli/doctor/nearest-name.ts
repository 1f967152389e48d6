/** Maximum characters that are missing, added, changed or swapped in a misspelt name. */
const maxEdits = 3

/** The known name that is most similar to a misspelt one; undefined when none is similar. */
export function nearestName(misspelt: string, known: string[]): string | undefined {
  let nearest: string | undefined
  let minEdits = maxEdits + 1
  for (const name of known) {
    const edits = Math.abs(name.length - misspelt.length) <= maxEdits ? editsBetween(misspelt, name) : Infinity
    if (edits >= minEdits) continue
    nearest = name
    minEdits = edits
  }
  return nearest
}

/** The distance of Damerau and Levenshtein, where no part is edited twice. */
function editsBetween(from: string, to: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(
        last![j]! + 1, row[j - 1]! + 1, last![j - 1]! + (isSame ? 0 : 1), isSwapped ? beforeLast![j - 2]! + 1 : Infinity,
      )
    }
    beforeLast = last
    last = row
  }
  return last![to.length]!
}
