import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import semver from 'semver'
import { readDocumentFile } from './document.ts'
import { valueBreaks } from './value-breaks.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const maxReportBytes = 64 * 1024 * 1024

interface Report {
  changes: { verdicts: { message: string, impact: 'major' | 'minor' | 'patch', location: { pointer: string } }[] }[]
}

/**
 * Lists the changes that can break clients of `before` when the server follows `after`, each with its place.
 * @param before path of a document
 * @param after path of the newer one
 * @throws Error when one of them is not a valid document
 */
export async function breaksBetween(before: string, after: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'node_modules/@redocly/cli/bin/cli.js', 'diff', before, after, '--config', 'openapi/lint.yaml', '--format', 'json', '--fail-on', 'none',
  ], { cwd: root, maxBuffer: maxReportBytes })
  const { changes } = JSON.parse(stdout) as Report
  const found = changes.flatMap(({ verdicts }) => verdicts)
    .filter(({ impact }) => impact === 'major')
    .map(({ message, location: { pointer } }) => ({ message, pointer }))
  const known = new Set(found.map(({ pointer }) => pointer))
  const further = valueBreaks(readDocumentFile(before), readDocumentFile(after)).filter(({ pointer }) => !known.has(pointer))
  return [...found, ...further].map(({ message, pointer }) => `${message} ${pointer}`)
}

/** Whether a version may break clients of a released one: its major version is higher or, while that is 0, its minor version. */
export function mayBreak(version: string, released: string): boolean {
  const limit = semver.major(released) === 0 ? semver.inc(released, 'minor')! : semver.inc(released, 'major')!
  return semver.gte(version, limit)
}

/** The error message about breaking changes; undefined without breaks, or when the next version allows them. */
export function refusalOf(breaks: string[], { released, next }: { released: string, next: string }): string | undefined {
  if (breaks.length === 0 || mayBreak(next, released)) return undefined
  const kind = semver.major(released) === 0 ? 'minor' : 'major'
  return [
    `openapi.yaml breaks clients of version ${released}:`,
    ...breaks.map((line) => `  ${line}`),
    `The next version is ${next}. Undo the changes, or release them with a ${kind} version: npx changeset`,
  ].join('\n')
}
