import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { styleText } from 'node:util'

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

/** Prints a result: one JSON document with `--json`, else the text that `show` makes. */
export function print<T>(options: { json?: boolean }, result: T, show: (result: T) => Text): void {
  process.stdout.write(`${options.json ? toJson(result) : clean(show(result))}\n`)
}

/** Writes a message to stderr, with API keys masked. */
export function say(text: Text): void {
  process.stderr.write(`${withoutKeys(clean(text))}\n`)
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

/** Aligned columns of text. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd())
    .join('\n')
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

/** Prints a list, whose texts are untrusted: one JSON document with `--json`, else a table. */
export function printRows<T>(options: { json?: boolean }, items: T[], head: string[], toRow: (item: T) => string[]): void {
  print(options, items, () => {
    const rows = items.map((item) => toRow(item).map(oneLine))
    const text = tableOrBlocks(head, rows)
    const [titles] = table(head, rows).split('\n', 1) as [string]
    return text.startsWith(titles) ? join([paint('bold', titles), text.slice(titles.length)], '') : text
  })
}

/** Prints the first items of a list as `printRows` does, and reports on stderr whether there are more. */
export function printFirst<T>(
  options: { json?: boolean, limit: number }, { first, hasMore }: { first: T[], hasMore: boolean },
  head: string[], toRow: (item: T) => string[],
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

/** JSON in one line, with control characters and bidi controls escaped. */
const toJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(/[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Characters from which a text is masked as an API key: the mock takes any text as a key, such as `any`. */
const minKeyLength = 12

function withoutKeys(text: string) {
  const key = process.env['MAYFLY_API_KEY']?.trim() ?? ''
  return (key.length < minKeyLength ? text : text.replaceAll(key, '…'))
    .replaceAll(/\bsvc_(live|test)_\w+/g, 'svc_$1_…')
}
