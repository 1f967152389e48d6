import { answerTimeoutMs, attackMs, bars, busyMachineMs, quietMs } from './bars.ts'
import { showCounts, total } from './figures.ts'
import type { Result } from './run.ts'
import type { Scenario } from './scenario.ts'

const columns: [name: string, width: number, value: (result: Result) => string][] = [
  ['scenario', -20, ({ name }) => name],
  ['quiet HTTP', 11, ({ quiet }) => ms(quiet.http.p99)],
  ['SMTP', 6, ({ quiet }) => ms(quiet.smtp.p99)],
  ['timer', 6, ({ quiet }) => ms(quiet.timerLateMs)],
  ['HTTP p50', 10, ({ attacked }) => ms(attacked.http.p50)],
  ['p99', 7, ({ attacked }) => ms(attacked.http.p99)],
  ['max', 7, ({ attacked }) => ms(attacked.http.max)],
  ['SMTP p50', 10, ({ attacked }) => ms(attacked.smtp.p50)],
  ['p99', 7, ({ attacked }) => ms(attacked.smtp.p99)],
  ['max', 7, ({ attacked }) => ms(attacked.smtp.max)],
  ['timer', 7, ({ attacked }) => ms(attacked.timerLateMs)],
  ['errors', 8, ({ attacked }) => String(total(attacked.errors))],
  ['MB RSS', 8, ({ rssMegabytes }) => rssMegabytes.toFixed(0)],
  ['MB grown', 10, ({ grownMegabytes }) => grownMegabytes.toFixed(0)],
  ['', 7, ({ failures }) => failures.length === 0 ? '  PASS' : '  FAIL'],
]

export function printHead(): void {
  console.log(`Milliseconds that another account than the attackers' waits. HTTP: GET /addresses. SMTP: from connecting to the 250 for the final dot of a small mail.
quiet: p99 in the ${quietMs / 1000} s before the attack; then during ${attackMs / 1000} s of it. timer: p99 of how late a timer of 5 ms comes in the process that
measures: the delay that the machine adds. An answer that takes more than ${answerTimeoutMs / 1000} s is an error. MB grown: growth of the database and its log.
To pass: HTTP p99 < ${bars.httpP99Ms} ms, SMTP p99 < ${bars.smtpP99Ms} ms, RSS < ${bars.rssMegabytes} MB, no errors.\n`)
  console.log(columns.map(([name, width]) => padded(name, width)).join(''))
}

export function printResult({ says }: Scenario, result: Result): void {
  console.log(columns.map(([, width, value]) => padded(value(result), width)).join(''))
  console.log(`    ${says}`)
  console.log(`    attackers: ${showCounts(result.answers)}`)
  if (total(result.attacked.errors) > 0) console.log(`    errors: ${showCounts(result.attacked.errors)}`)
  for (const { says } of result.findings) console.log(`    ${says}`)
  if (result.quiet.timerLateMs > busyMachineMs) console.log('    the machine was busy before the attack: these times include delays of other processes')
  if (result.failures.length > 0) console.log(`    FAIL: ${result.failures.join(', ')}`)
}

const padded = (text: string, width: number) => width < 0 ? text.padEnd(-width) : text.padStart(width)

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0)
