import { answerTimeoutMs } from './bars.ts'
import { add, codeOf, figuresOf } from './figures.ts'
import type { Counts, Figures } from './figures.ts'
import { openHttp } from './http-client.ts'
import type { Target } from './scenario.ts'
import { sendMail } from './smtp-client.ts'

/** The measurements of one account. Times in milliseconds; that of a mail is from connecting to the 250 for its final dot. */
export interface Sample {
  http: Figures
  smtp: Figures
  /** Failures, by the code of their error. */
  errors: Counts
  /** p99 of how late a timer of 5 ms was in this process: the delay that the machine adds, not the server. */
  timerLateMs: number
}

const timerMs = 5
const httpEveryMs = 20
const smtpEveryMs = 40 // 200 mails during an attack, so that their p99 is not one stall
const local = '127.0.0.1'
const source = 'From: b@other.example\r\nSubject: Your code\r\n\r\nYour code is 482913.\r\n'

const [json, isConnectingAnew] = process.argv.slice(2) as [string, string]
const { httpPort, smtpPort, other } = JSON.parse(json) as Target
const http = openHttp(httpPort, local, { keepAlive: isConnectingAnew !== 'true' })

process.on('message', (milliseconds: number) => {
  measure(milliseconds).then((sample) => process.send!(sample), (error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())

/** Begins requests and mails at fixed times, even while earlier ones are open, so that a stall counts for each that it delays. */
async function measure(milliseconds: number): Promise<Sample> {
  const times = { http: [] as number[], smtp: [] as number[], late: [] as number[] }
  const errors: Counts = {}
  const open = new Set<Promise<void>>()
  const begin = (kind: 'http' | 'smtp', work: () => Promise<void>) => {
    const start = performance.now()
    const timed = inTime(work())
      .catch((error: unknown) => add(errors, `${kind} ${codeOf(error)}`))
      .then(() => { times[kind].push(performance.now() - start) })
    open.add(timed)
    void timed.then(() => open.delete(timed))
  }

  const start = performance.now()
  let [nextHttp, nextSmtp] = [start, start]
  for (let now = start; now < start + milliseconds;) {
    const due = now + timerMs
    await new Promise((resolve) => setTimeout(resolve, timerMs))
    now = performance.now()
    times.late.push(now - due)
    for (; nextHttp <= now; nextHttp += httpEveryMs) begin('http', list)
    for (; nextSmtp <= now; nextSmtp += smtpEveryMs) begin('smtp', send)
  }
  await Promise.all(open)
  return { http: figuresOf(times.http), smtp: figuresOf(times.smtp), errors, timerLateMs: figuresOf(times.late).p99 }
}

async function list() {
  const { status } = await http.call({ path: '/addresses?limit=20', key: other.key })
  if (status !== 200) throw Object.assign(new Error(), { code: String(status) })
}

const send = () => sendMail(smtpPort, { from: local, sender: 'b@other.example', recipient: other.address, source })

function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'no answer' })), answerTimeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
