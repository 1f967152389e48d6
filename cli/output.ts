/** Prints a result: one JSON document with `--json`, else what `show` writes for people. */
export function print<T>(options: { json?: boolean }, result: T, show: (result: T) => string): void {
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${show(result)}\n`)
}

/** Columns of text, each as wide as its widest cell. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd())
    .join('\n')
}

/**
 * A table, or where the terminal is too narrow for it, a block of lines for each row.
 * @param width characters of a line; none when nobody looks at it
 */
export function tableOrBlocks(head: string[], rows: string[][], width: number | undefined = process.stdout.columns): string {
  const text = table(head, rows)
  if (!width || text.split('\n').every((line) => line.length <= width)) return text
  const names = Math.max(...head.map((title) => title.length))
  return rows.map((row) => head.flatMap((title, column) => row[column] ? [`${title.padEnd(names)}  ${row[column]}`] : []).join('\n'))
    .join('\n\n')
}

/** Text of strangers on one line, without what a terminal would obey. */
export const oneLine = (text: string): string => text.toWellFormed().replaceAll(/[\p{C}\s]+/gu, ' ').trim()
