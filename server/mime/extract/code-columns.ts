import { codeWord } from './code-words.ts'
import type { Candidate } from './code-boxes.ts'

/** Maximum characters from a number up to the headings of its table. */
const maxHeadingDistance = 300

/** Returns what the heading of its column says a number is; undefined when it is in no table with a column for a code. */
export function headingOf(source: string, { start, end }: Candidate): 'code' | 'other' | undefined {
  const before = source.slice(Math.max(0, start - maxHeadingDistance), start)
  const lineStart = before.lastIndexOf('\n') + 1
  const column = cellsOf(before.slice(lineStart)).length - 1
  if (column === 0 && !separator.test(source.slice(end, end + 2))) return undefined
  for (const row of before.slice(0, Math.max(0, lineStart - 1)).split('\n').reverse()) {
    const cells = cellsOf(row)
    if (cells.length <= column || cells.length < 2) return undefined
    if (/\d{4}/.test(row)) continue // a row above
    if (isCodeHeading(cells[column]!)) return 'code'
    return cells.some(isCodeHeading) ? 'other' : undefined
  }
  return undefined
}

const separator = /\t| {2,}/
const cellsOf = (row: string): string[] => row.trimStart().split(separator)

function isCodeHeading(cell: string): boolean {
  codeWord.lastIndex = 0
  return cell.length <= 40 && codeWord.test(cell.toLowerCase())
}
