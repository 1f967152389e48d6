import type { Kind, Round, Totals } from './receiving.ts'
import { describeRatios, median } from './rounds.ts'
import { sumOf } from './thread-times.ts'

/**
 * Prints the medians of the rounds of a kind of mail.
 * @param first the round in which the processes compile their code, ours and the bare server: a single measurement from outside is one
 */
export function printReceiving({ name, count }: Kind, first: Round, rounds: Round[], { diskBytes, fsyncs, megabytes }: Totals): void {
  const all = (figure: (round: Round) => number) => rounds.map(figure)
  const middle = (figure: (round: Round) => number, digits: number) => median(all(figure)).toFixed(digits)
  const [published, drained, bare] = [all((round) => round.published), all((round) => round.drained), all((round) => round.bare)]
  const print = (title: string, text: string) => console.log(`  ${title.padEnd(11)}${text}`)
  console.log(`\n${name}: ${count} mails a round, ${rounds.length} rounds`)
  print('published', `${median(published).toFixed(0)} a second; ${median(bare).toFixed(0)} of a bare smtp-server that discards, ` +
    `ratio ${describeRatios(published, bare, 2)}; ${first.published.toFixed(0)} and ${first.bare.toFixed(0)} in the first round, ` +
    `ratio ${(first.published / first.bare).toFixed(2)}`)
  print('drained', `${median(drained).toFixed(0)} a second, ${describeRatios(drained, published, 2)} as many as published`)
  print('answered', `p50 ${middle(({ ackMs }) => ackMs.p50, 1)} ms, p99 ${middle(({ ackMs }) => ackMs.p99, 1)} ms after the final dot`)
  print('processor', describeThreads(rounds))
  print('event loop', `longest delay ${middle(({ loopDelayMs }) => loopDelayMs, 0)} ms, in the worst round ${Math.max(...all(({ loopDelayMs }) => loopDelayMs)).toFixed(0)} ms`)
  print('disk', `${diskBytes.toFixed(2)} bytes for each byte of mail; ` +
    (fsyncs === undefined ? 'install strace to count fsyncs' : `${fsyncs.toFixed(2)} fsyncs a mail until drained`))
  print('memory', `${megabytes.now} MB at the end, ${megabytes.max} MB at most`)
}

/** The least share of the whole that is shown. */
const minShare = 0.01

function describeThreads(rounds: Round[]): string {
  const names = new Set(rounds.flatMap(({ threads }) => [...threads.keys()]))
  const times = [...names].map((name) => [name, median(rounds.map(({ threads }) => threads.get(name) ?? 0))] as const)
    .sort(([, a], [, b]) => b - a)
  const sum = median(rounds.map(({ threads }) => sumOf(threads)))
  const shown = times.filter(([, ms]) => ms >= sum * minShare).map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
  return `${sum.toFixed(2)} ms a mail, ${median(rounds.map(({ bareMs }) => bareMs)).toFixed(2)} of the bare server: ${shown.join(', ')}`
}
