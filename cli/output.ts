import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { styleText } from 'node:util'
import { CliError } from './cli-error.ts'

/** Text that is safe for a terminal: made by `line`, `join` and `paint`, which clean their values and may add colours. */
class Styled {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Text to write. A string is cleaned when it is written, so commands do not clean it; ESLint forbids other writes to the terminal. */
export type Text = string | Styled

/** The options of a command that choose how its result is printed. */
export interface OutputOptions {
  json?: boolean
  format?: string
}

/** Prints a result: lines with `--format`, one JSON document with `--json`, else the text that `show` makes. */
export function print<T>(options: OutputOptions, result: T, show: (result: T) => Text): void {
  if (options.format !== undefined) return void process.stdout.write(linesOf(options.format, result))
  process.stdout.write(`${options.json ? toJson(result) : clean(show(result))}\n`)
}

/** A line for each result, in which `{a.b}` is a member of its JSON, on one line. @throws CliError that lists the members */
function linesOf(format: string, result: unknown): string {
  const items = [JSON.parse(JSON.stringify(result)) as unknown].flat()
  const ofAll = new Set(items.flatMap(membersOf))
  const valueAt = (item: unknown, path: string) => {
    let [value, members] = [item, ofAll]
    for (const name of path.split('.')) {
      if (!members.has(name)) throw new CliError(`--format: there is no "${name}" in {${path}}, only ${[...members].join(', ')}`)
      value = (value as Record<string, unknown>)[name] ?? ''
      if (value === '') return ''
      members = new Set(membersOf(value))
    }
    return oneLine(typeof value === 'string' ? value : toJson(value))
  }
  return items.map((item) => `${format.replaceAll(/\{([\w.-]+)\}/g, (_, path: string) => valueAt(item, path))}\n`).join('')
}

const membersOf = (value: unknown) => typeof value === 'object' && value !== null ? Object.keys(value) : []

/** Writes a message to stderr, with API keys masked. */
export function say(text: Text): void {
  process.stderr.write(`${withoutKeys(clean(text))}\n`)
}

/** Replaces the last line of stderr, a terminal, by a text without a line feed. */
export function sayOver(text: Text): void {
  process.stderr.write(`\r\x1b[K${clean(text)}`)
}

/** Writes the source of a mail to stdout: byte for byte, or cleaned to a terminal, against escape sequences in it. */
export async function printSource(source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
  if (process.stdout.isTTY) return void process.stdout.write(manyLines(await text(source)))
  try {
    await pipeline(source, process.stdout, { end: false, signal })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error // EPIPE: the reader, such as head(1), has closed its side
  }
}

/** Asks the terminal to put a text into the clipboard: OSC 52 reaches that of the person also through SSH. */
export function copyToClipboard(text: string): void {
  process.stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`)
}

/** A template whose values are cleaned and kept on one line. */
export const line = (parts: TemplateStringsArray, ...values: (Text | number)[]): Styled =>
  new Styled(parts.map((part, i) => part + toLine(values[i] ?? '')).join(''))

export const join = (texts: Text[], separator: string): Styled => new Styled(texts.map(clean).join(separator))

/** Adds colour where stdout is a terminal and NO_COLOR is not set. */
export const paint = (style: Parameters<typeof styleText>[0], text: string): Styled =>
  new Styled(styleText(style, manyLines(text), { stream: process.stdout }))

/** A value of a list. Ids and times are shortened on a terminal. */
export type Cell = string | Date | { id: string }

/** A cell in full. */
export const fullText = (cell: Cell): string => cell instanceof Date ? cell.toISOString() : oneLine(typeof cell === 'string' ? cell : cell.id)

/** Characters of the end of an id that a list shows: commands take them for the id. */
const shortIdLength = 8

const shortText = (cell: Cell) => cell instanceof Date ? shortTime(cell, new Date())
  : typeof cell === 'string' ? fullText(cell) : fullText(cell).slice(-shortIdLength)

/** A time of today as 11:04, an earlier one as a day, a later one as in 29 d. */
export function shortTime(time: Date, now: Date): string {
  const minutes = (time.getTime() - now.getTime()) / 60_000
  if (minutes >= 48 * 60) return `in ${Math.round(minutes / 24 / 60)} d`
  if (minutes >= 120) return `in ${Math.round(minutes / 60)} h`
  if (minutes > 0) return `in ${Math.ceil(minutes)} min`
  if (time.toDateString() === now.toDateString()) return time.toTimeString().slice(0, 5)
  const isThisYear = time.getFullYear() === now.getFullYear()
  return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...isThisYear ? {} : { year: 'numeric' } })
}

const separator = '  '

const widthsOf = (lines: string[][]) => lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))

/** Aligned columns of text. */
function table(head: string[], rows: string[][]): string {
  const widths = widthsOf([head, ...rows])
  return [head, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join(separator).trimEnd()).join('\n')
}

/**
 * A table, or where the terminal is too narrow for it, a block of lines for each row.
 * @param width characters of a line; undefined when stdout is not a terminal
 */
export function tableOrBlocks(head: string[], rows: string[][], width: number | undefined = process.stdout.columns): string {
  const text = table(head, rows)
  if (!width || rows.length === 0 || text.split('\n').every((line) => line.length <= width)) return text
  const names = Math.max(...head.map((title) => title.length))
  return rows.map((row) => head.flatMap((title, column) => row[column] ? [`${title.padEnd(names)}  ${row[column]}`] : []).join('\n'))
    .join('\n\n')
}

/** Minimum characters of a column whose texts are cut. */
const minColumn = 8

/** A table of short ids and times, whose longest texts are cut to the width; undefined where that does not suffice. */
function shortTable(head: string[], rows: Cell[][], width: number): Text | undefined {
  const texts = rows.map((row) => row.map(shortText))
  const widths = widthsOf([head, ...texts])
  const isText = head.map((_, column) => rows.every((row) => typeof row[column] === 'string'))
  const spare = (column: number) => isText[column] ? widths[column]! - Math.max(minColumn, head[column]!.length) : 0
  const columns = head.map((_, column) => column)
  for (let rest = widths.reduce((sum, each) => sum + each + separator.length, -separator.length) - width; rest > 0; rest--) {
    const widest = columns.filter((column) => spare(column) > 0).reduce((a, b) => widths[b]! > (widths[a] ?? 0) ? b : a, -1)
    if (widest < 0) return undefined
    widths[widest]!--
  }
  const fit = (text: string, column: number) => cutTo(text, widths[column]!).padEnd(column < head.length - 1 ? widths[column]! : 0)
  return join([
    paint('bold', head.map(fit).join(separator).trimEnd()),
    ...texts.map((row, index) => join(row.map((text, column) =>
      typeof rows[index]![column] === 'string' ? fit(text, column) : paint('dim', fit(text, column))), separator)),
  ], '\n')
}

const cutTo = (text: string, length: number) => text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`

/**
 * Prints a list, whose texts are untrusted: one JSON document with `--json`, else a table. On a terminal it has short ids and times and
 * fits the width, except with `--wide`.
 */
export function printRows<T>(options: OutputOptions & { wide?: boolean }, items: T[], head: string[], toRow: (item: T) => Cell[]): void {
  print(options, items, () => {
    const rows = items.map(toRow)
    const { columns } = process.stdout
    const short = columns && !options.wide ? shortTable(head, rows, columns) : undefined
    if (short !== undefined) return short
    const text = tableOrBlocks(head, rows.map((row) => row.map(fullText)))
    const [titles] = text.split('\n', 1) as [string]
    return titles.includes(head.at(-1)!) ? join([paint('bold', titles), text.slice(titles.length)], '') : text
  })
}

/** Prints the first items of a list as `printRows` does, and reports on stderr whether there are more. */
export function printFirst<T>(
  options: OutputOptions & { wide?: boolean, limit: number }, { first, hasMore }: { first: T[], hasMore: boolean },
  head: string[], toRow: (item: T) => Cell[],
): void {
  printRows(options, first, head, toRow)
  if (hasMore && !options.json) say(`These are the newest ${options.limit}: --limit shows more.`)
}

/** Untrusted text on one line, without control characters. */
export const oneLine = (text: string): string => text.toWellFormed().replaceAll(/[\p{C}\s]+/gu, ' ').trim()

/** Untrusted text with its line breaks, without control characters and bidi controls. */
export const manyLines = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(/[^\n\t\P{Cc}]|[\p{Bidi_Control}\u2028\u2029]/gu, '')

const clean = (text: Text) => text instanceof Styled ? String(text) : manyLines(text)

const toLine = (text: Text | number) => text instanceof Styled ? String(text) : oneLine(String(text))

/** JSON with control characters and bidi controls escaped. @param indent spaces; without it, JSON in one line */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(/[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Characters from which a text is masked as an API key: the mock takes any text as a key, such as `any`. */
const minKeyLength = 12

function withoutKeys(text: string) {
  const key = process.env['MAYFLY_API_KEY']?.trim() ?? ''
  return (key.length < minKeyLength ? text : text.replaceAll(key, '…'))
    .replaceAll(/\bsvc_(live|test)_\w+/g, 'svc_$1_…')
}
