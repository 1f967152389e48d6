import { total } from '../attack/figures.ts'
import type { Sample } from '../attack/probe.ts'
import type { Readings } from './readings.ts'

/** The figures of a tenth of the run. */
export interface Tenth extends Readings {
  name: string
  mailsPerSecond: number
  errors: number
  sample: Sample
}

interface Figure {
  name: string
  width: number
  digits: number
  value(tenth: Tenth): number
  /** How much the last tenth may exceed the second: by this share plus this value. Without it, the figure is only shown. */
  allowedGrowth?: { share: number, value: number }
}

/** Share by which a figure may change. */
const tolerance = 0.25

/** In the order of the columns. */
const figures: Figure[] = [
  { name: 'mails/s', width: 9, digits: 0, value: (tenth) => tenth.mailsPerSecond },
  { name: 'MB RSS', width: 8, digits: 0, value: (tenth) => tenth.rssMegabytes, allowedGrowth: { share: tolerance, value: 32 } },
  { name: 'MB file+WAL', width: 13, digits: 0, value: (tenth) => tenth.fileMegabytes },
  { name: 'less kept', width: 11, digits: 0, value: (tenth) => tenth.fileMegabytes - tenth.keptMegabytes, allowedGrowth: { share: tolerance, value: 32 } },
  { name: 'MB of mail', width: 12, digits: 0, value: (tenth) => tenth.usedMegabytes - tenth.keptMegabytes, allowedGrowth: { share: tolerance, value: 32 } },
  { name: 'due jobs', width: 10, digits: 0, value: (tenth) => tenth.dueJobs, allowedGrowth: { share: tolerance, value: 500 } },
  { name: 'oldest s', width: 10, digits: 1, value: (tenth) => tenth.oldestJobSeconds, allowedGrowth: { share: tolerance, value: 1 } },
  { name: 'unindexed', width: 11, digits: 0, value: (tenth) => tenth.unindexed, allowedGrowth: { share: tolerance, value: 500 } },
  { name: 'loop p99', width: 10, digits: 1, value: (tenth) => tenth.eventLoopMs, allowedGrowth: { share: tolerance, value: 10 } },
  { name: 'HTTP p99', width: 10, digits: 1, value: ({ sample }) => sample.http.p99, allowedGrowth: { share: tolerance, value: 20 } },
  { name: 'SMTP p99', width: 10, digits: 1, value: ({ sample }) => sample.smtp.p99, allowedGrowth: { share: tolerance, value: 20 } },
  { name: 'timer', width: 7, digits: 1, value: ({ sample }) => sample.timerLateMs },
  { name: 'errors', width: 8, digits: 0, value: ({ errors, sample }) => errors + total(sample.errors), allowedGrowth: { share: 0, value: 0 } },
]

export function printHead(): void {
  console.log(['part'.padEnd(9), ...figures.map(({ name, width }) => name.padStart(width))].join(''))
}

export function printTenth(tenth: Tenth): void {
  console.log([tenth.name.padEnd(9), ...figures.map(({ width, digits, value }) => value(tenth).toFixed(digits).padStart(width))].join(''))
}

/** Describes the figures that grew too much from the second tenth to the last. @param mailsPerSecond the planned load */
export function compareTenths(second: Tenth, last: Tenth, mailsPerSecond: number): string[] {
  const higher = figures.flatMap(({ name, digits, value, allowedGrowth: allowed }) => {
    const [a, b] = [value(second), value(last)]
    const isFlat = !allowed || b <= a * (1 + allowed.share) + allowed.value
    return isFlat ? [] : [`${name}: ${a.toFixed(digits)} in the second tenth, ${b.toFixed(digits)} in the last`]
  })
  if (last.mailsPerSecond >= mailsPerSecond * (1 - tolerance)) return higher
  return [`mails/s: ${last.mailsPerSecond.toFixed(0)} in the last tenth, of ${mailsPerSecond.toFixed(0)} planned`, ...higher]
}
