/** Further ones are left out. */
const [maxRows, maxColumns, maxCellLength] = [200, 30, 500]

/** A cell, in quotes or plain, with its end, which may be a CR alone. It matches at each place, in one way, so that the time is linear. */
const cells = (delimiter: string) => {
  const plain = `[^${delimiter}\\r\\n]*`
  return new RegExp(`(?:"((?:[^"]|"")*)(?:"|$)(${plain})|(${plain}))(${delimiter}|\\r\\n?|\\n|$)`, 'y')
}

/** Reads a file of rows (RFC 4180), with commas, semicolons or tabs. */
export function readTable(text: string): { rows: string[][], isCut: boolean } {
  const source = text.replace(/^\ufeff/, '')
  const first = source.slice(0, 5_000).split(/[\r\n]/, 1)[0]!
  const delimiter = [',', ';', '\t'].reduce((best, each) => first.split(each).length > first.split(best).length ? each : best)
  const cell = cells(delimiter)
  const rows: string[][] = []
  let row: string[] = []
  let isCut = false
  while (cell.lastIndex < source.length) {
    const [, quoted, after = '', plain = '', end] = cell.exec(source)!
    if (row.length < maxColumns) row.push((quoted === undefined ? plain : quoted.replaceAll('""', '"') + after).slice(0, maxCellLength))
    else isCut = true
    if (end !== delimiter) {
      rows.push(row)
      row = []
    }
    if (rows.length > maxRows) return { rows: rows.slice(0, maxRows), isCut: true }
  }
  return { rows: row.length > 0 ? [...rows, row] : rows, isCut }
}
