import { Command } from 'commander'
import { diagnose } from '../doctor/diagnose.ts'
import type { Result } from '../doctor/diagnose.ts'
import { withExamples, withJson } from '../client/options.ts'
import { join, line, paint, print } from '../output.ts'
import type { Text } from '../output.ts'

export function doctorCommand(): Command {
  return withJson(withExamples(new Command('doctor'), [
    'mayfly doctor                                        with the variables that the server has',
    "mayfly doctor --json | jq '.checks[] | select(.status != \"ok\")'",
  ]))
    .action(async (options: { json?: boolean }) => {
      const checks = await diagnose(process.env)
      const ok = !checks.some(({ status }) => status === 'problem')
      print(options, { ok, checks }, () => process.stdout.isTTY ? inGroups(checks, process.stdout.columns) : report(checks))
      if (!ok) process.exitCode = 1
    })
}

/** The names of the checks of each group; the last one has all others, which are about mail. */
const groups: Record<string, string[]> = {
  'Settings': ['variables', 'defaults', 'base-url', 'sign-in-provider', 'reserved-aliases'],
  'Machine': ['node', 'database', 'database-server', 'database-load', 'sources', 'cells', 'disk'],
  'Ports': ['http-port', 'smtp-port', 'submission-port', 'smtps-port', 'tls'],
  'Mail and DNS': [],
}
const groupOf = (name: string) => Object.keys(groups).find((group) => groups[group]!.includes(name)) ?? 'Mail and DNS'

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const

/** Characters before the texts, without those of the name: two of indentation, the status, and two gaps. */
const leftOfName = 2 + 'problem'.length + 4

/** For a terminal: under headings, with colours, and wrapped. */
function inGroups(checks: Result[], columns: number): Text {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const indent = ' '.repeat(leftOfName + width)
  const wrapped = (text: string) => join(wrap(text, columns - indent.length).map((part) => line`${part}`), `\n${indent}`)
  const shown = Object.keys(groups).flatMap((group) => {
    const own = checks.filter(({ name }) => groupOf(name) === group)
    return own.length === 0 ? [] : [paint('bold', group), ...own.flatMap(({ name, status, found, advice }) => [
      join([line`  ${paint(colours[status], status.padEnd(7))}  ${paint('bold', name.padEnd(width))}  `, wrapped(found)], ''),
      ...advice === null ? [] : [join([indent, wrapped(`→ ${advice}`)], '')],
    ]), '']
  })
  return join([...shown, summary(checks)], '\n')
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (lines.at(-1) !== '' && lines.at(-1)!.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trimStart()
  }
  return lines
}

function report(checks: Result[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.flatMap(({ name, status, found, advice }) => [
    `${status.padEnd(7)}  ${name.padEnd(width)}  ${found}`,
    ...advice === null ? [] : [`${' '.repeat(9 + width)}  → ${advice}`],
  ])
  return [...lines, summary(checks)].join('\n')
}

function summary(checks: Result[]): string {
  const count = (status: Result['status']) => {
    const number = checks.filter((check) => check.status === status).length
    return `${number} ${status}${number === 1 ? '' : 's'}`
  }
  return `${count('problem')}, ${count('warning')}`
}
