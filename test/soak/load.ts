import { mails } from '../../bench/mails.ts'
import { pause } from '../attack/attack.ts'
import { attackersAddress } from '../attack/bars.ts'
import { add, codeOf } from '../attack/figures.ts'
import type { Counts } from '../attack/figures.ts'
import { openHttp } from '../attack/http-client.ts'
import type { Call } from '../attack/http-client.ts'
import type { Target } from '../attack/scenario.ts'
import { openSession, sendInSession } from '../attack/smtp-client.ts'
import type { SmtpSession } from '../attack/smtp-client.ts'
import * as plan from './plan.ts'
import { openReceivers } from './receivers.ts'

/** Totals since the beginning. */
export interface LoadReport {
  mails: number
  /** Requests by their operation, and deliveries to the webhooks. */
  done: Counts
  errors: Counts
}

/** The process that makes the load. A message sets the mails per second, or replaces all addresses; the answer is a report. */
const { httpPort, smtpPort, busy } = JSON.parse(process.argv[2]!) as Target
const from = attackersAddress

const report: LoadReport = { mails: 0, done: {}, errors: {} }
const client = openHttp(httpPort, from, { maxSockets: 50 })
const sources = mails.map(({ source }) => source.subarray(0, -3)) // without the final dot

let mailsPerSecond = 0
let next = 0
/** Addresses that get no more mail. */
const replaced: Box[] = []
process.on('disconnect', () => process.exit())
process.on('message', async (rate: number | 'unlimited' | 'report' | 'replace all') => {
  if (rate === 'replace all') await replaceAll()
  else if (rate !== 'report') mailsPerSecond = rate === 'unlimited' ? Infinity : rate
  process.send!(report)
})

const receivers = await openReceivers(report.done)
const boxes = await Promise.all(Array.from({ length: plan.addresses }, newAddress))
const waitBoxes = await Promise.all(Array.from({ length: plan.waiters }, () => newAddress(24 * 3600)))
await call('webhooks.create', { method: 'POST', path: '/webhooks', body: {
  url: receivers.answering, events: ['email.received'], addressIds: waitBoxes.map(({ id }) => id),
} })
await call('webhooks.create', { method: 'POST', path: '/webhooks', body: { url: receivers.failing, events: ['address.created'] } })
await Promise.all([
  ...Array.from({ length: plan.sessions }, () => again(sendMails)),
  ...waitBoxes.map((box) => again(() => waitForMail(box))),
  again(replaceAddress),
])

async function again(work: () => Promise<void>): Promise<never> {
  for (;;) {
    if (mailsPerSecond === 0) await pause(50)
    else await work().catch((error: unknown) => fail(codeOf(error)))
  }
}

async function fail(code: string) {
  add(report.errors, code)
  await pause(200)
}

/** Sends mails over one session, each when it is due, and reads and changes emails after some of them. */
async function sendMails() {
  const session = await openSession(smtpPort, from)
  try {
    await session.say('EHLO soak.example\r\n', '250')
    while (mailsPerSecond > 0) {
      await turn()
      if (mailsPerSecond > 0) await sendOne(session)
    }
  } finally {
    session.close()
  }
}

async function sendOne(session: SmtpSession) {
  const i = report.mails++
  const box = boxes[i % boxes.length]!
  await sendInSession(session, { sender: 'no-reply@shop.example', recipient: box.address, source: sources[kindOf(i)]! })
  if (i % plan.mailsPerList === 0) await call('emails.list', { path: `/emails?address_id=${box.id}&limit=20` })
  if (i % plan.mailsPerSearch === 1) await call('emails.search', { path: '/emails?q=confirmation+code&limit=20' })
  const [isGet, isChange] = [i % plan.mailsPerGet === 2, i % plan.mailsPerChange === 3]
  if (!isGet && !isChange) return
  const { data: [newest] } = await call('emails.list', { path: '/emails?limit=1' }) as { data: { id: string }[] }
  if (isGet) await call('emails.get', { path: `/emails/${newest!.id}` })
  else await call('emails.update', { method: 'PATCH', path: `/emails/${newest!.id}`, body: { isRead: true } })
}

/** The kind of a mail by its number: in every hundred mails, each kind has its share. */
function kindOf(i: number) {
  const place = (i * 37) % 100 / 100
  let sum = 0
  return plan.mailShares.findIndex((share) => place < (sum += share))
}

/** Waits until the next mail is due. Late mails are sent as fast as possible, those of one second at most. */
async function turn() {
  const now = performance.now()
  next = Math.max(next, now - 1_000) + 1_000 / mailsPerSecond
  if (next > now) await pause(next - now)
}

/** Opens `GET /emails/wait`, and sends the mail a moment later. */
async function waitForMail({ id, address }: Box) {
  const { cursor } = await call('emails.list', { path: `/emails?address_id=${id}&limit=1` }) as { cursor: string }
  const waiting = call('emails.wait', { path: `/emails/wait?address_id=${id}&after=${cursor}&timeout=${plan.waitSeconds}` })
  await pause(plan.waitEveryMs)
  const session = await openSession(smtpPort, from)
  try {
    await session.say('EHLO soak.example\r\n', '250')
    await sendInSession(session, { sender: 'a@wait.example', recipient: address, source: sources[0]! })
  } finally {
    session.close()
    if (!await waiting) add(report.errors, 'a wait without its mail')
  }
}

/** Removes all mail with its addresses. */
async function replaceAll() {
  for (const { id } of [...replaced.splice(0), ...boxes.splice(0)]) {
    await call('addresses.delete', { method: 'DELETE', path: `/addresses/${id}` })
  }
  boxes.push(...await Promise.all(Array.from({ length: plan.addresses }, newAddress)))
}

async function replaceAddress() {
  replaced.push(boxes.shift()!)
  boxes.push(await newAddress())
  await pause(plan.addressEveryMs)
}

interface Box {
  id: string
  address: string
}

async function newAddress(expiresIn: number = plan.addressLifetimeSeconds): Promise<Box> {
  const { data } = await call('addresses.create', { method: 'POST', path: '/addresses', body: { expiresIn } }) as { data: Box }
  return data
}

async function call(operation: string, request: Call): Promise<unknown> {
  const { status, text } = await client.call({ key: busy.key, ...request })
  if (status >= 300) throw Object.assign(new Error(text), { code: `${operation} ${status}` })
  add(report.done, operation)
  return text && JSON.parse(text)
}
