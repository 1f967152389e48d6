import { readContent } from '../server/mime/parse/read-content.ts'
import { readMessage } from '../server/mime/read-message.ts'
import { corpusMails } from '../test/mime/corpus/mails/index.ts'
import { countRight, fields, parseByMailparser } from '../test/mime/readings.ts'
import { hostileMails } from '../test/support/hostile-mails.ts'
import { mails } from './mails.ts'
import { describeRatios, measureInTurn, median, rounds } from './rounds.ts'

/** Compares server/mime with mailparser: correctly read mails of the corpus, and the time for the benchmark's mails. */
const counts = await countRight()
console.log(`right of ${corpusMails.length} mails of test/mime/corpus`)
console.log(`  ${''.padEnd(26)}   ours  mailparser`)
for (const field of fields) {
  const { ours, mailparser } = counts[field]
  console.log(`  ${field.padEnd(26)} ${String(ours).padStart(6)} ${String(mailparser).padStart(11)}`)
}

console.log(`\nmilliseconds of processor time a mail, and how many times as long mailparser takes, ${rounds} rounds`)
console.log(`  ${''.padEnd(26)}   ours  with codes and links  mailparser  ratio`)
for (const { name, source } of mails) {
  const raw = source.subarray(0, -'.\r\n'.length)
  const count = Math.ceil(20_000_000 / (raw.length + 20_000))
  const [ours, withCodes, mailparser] = await measureInTurn([readContent, readMessage, parseByMailparser]
    .map((read) => () => time(count, () => read(raw)))) as [number[], number[], number[]]
  const show = (times: number[], width: number) => median(times).toFixed(3).padStart(width)
  console.log(`  ${name.padEnd(26)} ${show(ours, 6)} ${show(withCodes, 21)} ${show(mailparser, 11)}  ${describeRatios(mailparser, ours, 1)}`)
}

console.log('\nhostile mails of test/support/hostile-mails.ts, the slowest five of each')
const hostile = hostileMails().map(({ name, source }) => ({ name, raw: Buffer.from(source) }))
for (const [parser, read] of [['ours', readContent], ['mailparser', parseByMailparser]] as const) {
  const times: { name: string, ms: number }[] = []
  const rejected: string[] = []
  for (const { name, raw } of hostile) {
    const ms = await time(1, async () => {
      try {
        await read(raw)
      } catch {
        rejected.push(name)
      }
    })
    times.push({ name, ms })
  }
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, 5).map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`)
  console.log(`  ${parser.padEnd(12)} rejected: ${rejected.join(', ') || 'none'}; ${slowest.join(', ')}`)
}

/** Milliseconds of processor time of this thread for one call. */
async function time(count: number, work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  for (let i = 0; i < count; i++) await work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / count
}
