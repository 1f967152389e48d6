import { forever, recordFailure, openCalls, openSocket, attackWithMail, pause, textMail } from '../attack.ts'
import { storeAttachment, storeEvents, storeMails } from '../../support/store/bulk.ts'
import type { Note, Scenario, Target } from '../scenario.ts'

/** A run of combining marks: 164 kB whose normalization takes quadratic time. */
const combiningMarks = 'a' + '\u0344'.repeat(32_767) + '\u0f73'.repeat(32_767)

export const reads: Scenario[] = [
  {
    name: 'search',
    says: '20 mails of 164 kB of combining marks, and 95 searches at a time',
    async attack(target, note) {
      const call = openCalls(target, note)
      const mails = Promise.all(Array.from({ length: 20 }, () =>
        attackWithMail(target, note, textMail('code', combiningMarks)).catch((error: unknown) => recordFailure(note, error))))
      await Promise.all([mails, forever(note, async () => { await call({ path: '/emails?q=code' }) })])
    },
  },
  {
    name: 'listing',
    says: 'in a mailbox of 100,000 mails, 95 lists and searches at a time that read all of it, or the longest bodies',
    prepare: storeMails,
    async attack(target, note) {
      const call = openCalls(target, note)
      const paths = [
        `type=sent&after=${target.facts['oldestEmailId']}`, `after=${target.facts['oldestEmailId']}`, 'offset=99900',
        'q=code&offset=2147483647', 'limit=100',
      ]
      await forever(note, async (i) => { await call({ path: `/emails?${paths[i % paths.length]}` }) })
    },
  },
  {
    name: 'resume',
    says: '95 streams that begin with the first of 100,000 events, again and again',
    prepare: storeEvents,
    attack: (target, note) => forever(note, () => download(target, note, '/events', { headers: 'Last-Event-ID: 0\r\n' })),
  },
  {
    name: 'slow-readers',
    says: '95 downloads of an attachment of 20 MB that read 1 kB a second',
    prepare: storeAttachment,
    attack: (target, note) => forever(note, () => {
      const { emailId, attachmentId } = target.facts
      return download(target, note, `/emails/${emailId}/attachments/${attachmentId}`, { bytesPerSecond: 1_000 })
    }),
  },
]

/** Reads a response until the server ends it, or until it has shown all missed events. */
function download(
  { httpPort, busy }: Target, note: Note, path: string, { headers = '', bytesPerSecond }: { headers?: string, bytesPerSecond?: number },
) {
  return new Promise<void>((resolve, reject) => {
    const socket = openSocket(httpPort)
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.key}\r\n${headers}\r\n`)
    socket.once('readable', () => {
      const begin = socket.read(bytesPerSecond ? 64 : undefined) as Buffer | null
      note(/HTTP\/1\.1 (\d+)/.exec(begin?.toString('latin1') ?? '')?.[1] ?? 'nothing')
      if (bytesPerSecond) void readSlowly(bytesPerSecond)
      else socket.on('data', (chunk: Buffer) => { if (chunk.includes(`id: ${lastEvent}\n`)) socket.destroy() })
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())

    async function readSlowly(bytes: number) {
      while (!socket.destroyed) {
        await pause(1_000)
        socket.read(bytes)
      }
    }
  })
}

/** The number of the last event but one: a stream that has shown it is closed and opened again. */
const lastEvent = 99_999

