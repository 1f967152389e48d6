/** Further ones are left out. */
const [maxRows, maxColumns, maxCellLength] = [200, 30, 500]

/** A quoted or plain cell, and what ends it. */
const cells = (delimiter: string) => new RegExp(`(?:"((?:[^"]|"")*)"?|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|$)`, 'y')

/** Reads a file of rows (RFC 4180), with commas, semicolons or tabs. */
export function readTable(text: string): { rows: string[][], isCut: boolean } {
  const first = text.slice(0, 5_000).split('\n', 1)[0]!
  const delimiter = [',', ';', '\t'].reduce((best, each) => first.split(each).length > first.split(best).length ? each : best)
  const cell = cells(delimiter)
  const source = text.replace(/^\ufeff/, '')
  const rows: string[][] = []
  let row: string[] = []
  let isCut = false
  while (cell.lastIndex < source.length) {
    const at = cell.lastIndex
    const [, quoted, plain = '', end] = cell.exec(source) ?? []
    if (end === undefined || (end === '' && cell.lastIndex < source.length)) { // text after a quoted cell
      cell.lastIndex = at + Math.max(1, source.slice(at).search(/[\n]/) + 1)
      continue
    }
    if (row.length < maxColumns) row.push((quoted?.replaceAll('""', '"') ?? plain).slice(0, maxCellLength))
    else isCut = true
    if (end !== delimiter) {
      rows.push(row)
      row = []
    }
    if (rows.length > maxRows) return { rows: rows.slice(0, maxRows), isCut: true }
  }
  return { rows: row.length > 0 ? [...rows, row] : rows, isCut }
}
