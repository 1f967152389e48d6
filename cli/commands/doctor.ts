import { Command } from 'commander'
import { diagnose } from '../doctor/diagnose.ts'
import type { Result } from '../doctor/diagnose.ts'
import { withExamples, withJson } from '../client/options.ts'
import { print } from '../output.ts'

export function doctorCommand(): Command {
  return withJson(withExamples(new Command('doctor'), [
    'mayfly doctor                                        with the variables that the server has',
    "mayfly doctor --json | jq '.checks[] | select(.status != \"ok\")'",
  ]))
    .action(async (options: { json?: boolean }) => {
      const checks = await diagnose(process.env)
      const ok = !checks.some(({ status }) => status === 'problem')
      print(options, { ok, checks }, () => report(checks))
      if (!ok) process.exitCode = 1
    })
}

function report(checks: Result[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.flatMap(({ name, status, found, advice }) => [
    `${status.padEnd(7)}  ${name.padEnd(width)}  ${found}`,
    ...advice === null ? [] : [`${' '.repeat(9 + width)}  → ${advice}`],
  ])
  const count = (status: Result['status']) => {
    const number = checks.filter((check) => check.status === status).length
    return `${number} ${status}${number === 1 ? '' : 's'}`
  }
  return [...lines, `${count('problem')}, ${count('warning')}`].join('\n')
}
