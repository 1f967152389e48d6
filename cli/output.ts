import { styleText } from 'node:util'

/** Prints a result: one JSON document with `--json`, else what `show` writes for people. */
export function print<T>(options: { json?: boolean }, result: T, show: (result: T) => string): void {
  process.stdout.write(options.json ? `${toJson(result)}\n` : `${show(result)}\n`)
}

/** JSON in one line, in which what a terminal would obey is escaped. */
const toJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(/[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

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
  if (!width || rows.length === 0 || text.split('\n').every((line) => line.length <= width)) return text
  const names = Math.max(...head.map((title) => title.length))
  return rows.map((row) => head.flatMap((title, column) => row[column] ? [`${title.padEnd(names)}  ${row[column]}`] : []).join('\n'))
    .join('\n\n')
}

/** Prints a list of what strangers may have named: one JSON document with `--json`, else a table. */
export function printRows<T>(options: { json?: boolean }, items: T[], head: string[], toRow: (item: T) => string[]): void {
  print(options, items, () => {
    const rows = items.map((item) => toRow(item).map(oneLine))
    const text = tableOrBlocks(head, rows)
    const [titles] = table(head, rows).split('\n', 1) as [string]
    return text.startsWith(titles) ? paint('bold', titles) + text.slice(titles.length) : text
  })
}

/** Text of strangers on one line, without what a terminal would obey. */
export const oneLine = (text: string): string => text.toWellFormed().replaceAll(/[\p{C}\s]+/gu, ' ').trim()

/** Text of strangers on its lines, without what a terminal would obey: control characters, and those that turn text around. */
export const manyLines = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(/[^\n\t\P{Cc}]|[\u2028-\u202e\u2066-\u2069]/gu, '')

/** Colour where stdout is a terminal that wants it, see NO_COLOR. */
export const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout })
