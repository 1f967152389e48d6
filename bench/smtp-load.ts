import { figuresOf } from '../test/attack/figures.ts'
import type { Figures } from '../test/attack/figures.ts'
import { sourceOf } from './mails.ts'
import { sendMails } from './smtp-client.ts'
import type { MailsToSend } from './smtp-client.ts'

/** The argument of the process, as JSON. The mails have the names of `mails.ts`. */
export type LoadOrder = Omit<MailsToSend, 'sources' | 'acknowledged'> & { mails: string[] }

/** The output of the process, as JSON. */
export interface LoadReport {
  /** Milliseconds since 1970 at which the first connection was opened. */
  startedAt: number
  seconds: number
  /** Processor time of the process since then. */
  processorMs: number
  /** Time from the final dot of a mail to its 250. */
  ackMs: Figures
}

/** Sends mails. It is a process of its own, so that nothing else takes time of its event loop (docs/decisions/0024). */
const order = JSON.parse(process.argv[2]!) as LoadOrder
const sources = order.mails.map(sourceOf)
const times: number[] = []
const startedAt = Date.now()
const processorTime = process.cpuUsage()
await sendMails({ ...order, sources, acknowledged: (ms) => times.push(ms) })
const { user, system } = process.cpuUsage(processorTime)
const report: LoadReport = {
  startedAt, seconds: (Date.now() - startedAt) / 1000, processorMs: (user + system) / 1000, ackMs: figuresOf(times),
}
console.log(JSON.stringify(report))
