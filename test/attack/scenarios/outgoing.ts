import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { attackWithMail, forever, openCalls, pause, textMail } from '../attack.ts'
import { silentDomain } from '../dns.ts'
import { openHttp } from '../http-client.ts'
import type { Scenario, Target } from '../scenario.ts'
import { sendMail } from '../smtp-client.ts'

/** The maximum number of webhooks of an account. */
const webhooks = 100
const silentMails = 1_000
const silentConnections = 20
const arrivalMs = 5_000

/** Outgoing requests of the server: endless responses and missing ones. */
export const outgoing: Scenario[] = [
  {
    name: 'webhook-1xx',
    says: '100 webhooks whose endpoint answers "102 Processing" without end, and an event for each',
    variables: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' },
    async attack(target, note) {
      const call = openCalls(target, note)
      const url = `http://127.0.0.1:${await openProcessing()}/`
      await Promise.all(Array.from({ length: webhooks }, (_, i) =>
        call({ method: 'POST', path: '/webhooks', body: { url: `${url}?${i}`, events: ['email.received'] } })))
      await attackWithMail(target, note, textMail('event', 'text'))
    },
  },
  {
    name: 'silent-dns',
    says: '1,000 mails of different subdomains of a domain whose name server does not answer',
    async attack(target, note) {
      let next = 0
      await forever(note, async () => {
        const i = next++
        if (i >= silentMails) return pause(1_000)
        const domain = `m${i}.${silentDomain}`
        const signature = `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s; h=from; bh=AAAA; b=AAAA\r\n`
        await attackWithMail(target, note, `${signature}From: a@${domain}\r\nSubject: silent\r\n\r\ntext\r\n`, `a@${domain}`)
      }, silentConnections)
    },
    async during(target) {
      await arrival(target)
      const seconds = await secondsToAuthenticate(target)
      const says = seconds === undefined
        ? `another sender's mail is not authenticated within ${authenticationSeconds} s`
        : `another sender's mail is authenticated after ${seconds.toFixed(1)} s`
      return { says, isMet: seconds !== undefined }
    },
  },
]

/** Opens a port that sends interim responses (1xx) as fast as they are read. */
async function openProcessing(): Promise<number> {
  const chunk = Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2_000))
  const server = createServer((socket) => {
    const write = () => { while (socket.writable && socket.write(chunk)) { /* until it is full */ } }
    socket.on('error', () => {})
    socket.on('drain', write)
    socket.once('data', write)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Resolves when most of the attackers' mails have arrived, or after `arrivalMs`. */
async function arrival({ httpPort, busy }: Target) {
  const client = openHttp(httpPort, '127.0.0.1')
  const latest = performance.now() + arrivalMs
  for (let total = 0; total < silentMails * 0.8 && performance.now() < latest;) {
    await pause(100)
    total = (JSON.parse((await client.call({ path: '/emails?limit=1', key: busy.key })).text) as { total: number }).total
  }
  client.close()
}

/** Limit in seconds for the authentication of a mail whose sender's name server answers. */
const authenticationSeconds = 3

async function secondsToAuthenticate({ httpPort, smtpPort, other }: Target): Promise<number | undefined> {
  const client = openHttp(httpPort, '127.0.0.1')
  const read = async (path: string) => JSON.parse((await client.call({ path, key: other.key })).text)
  const subject = `authenticated ${crypto.randomUUID()}`
  const source = `From: c@answering.example\r\nSubject: ${subject}\r\n\r\ntext\r\n`
  try {
    const start = performance.now()
    await sendMail(smtpPort, { from: '127.0.0.1', sender: 'c@answering.example', recipient: other.address, source })
    const { data } = await read('/emails?limit=20') as { data: { id: string, subject: string }[] }
    const { id } = data.find((email) => email.subject === subject)!
    for (;;) {
      const email = await read(`/emails/${id}`) as { data: { authentication: unknown } }
      const seconds = (performance.now() - start) / 1000
      if (email.data.authentication) return seconds
      if (seconds > authenticationSeconds) return undefined
      await pause(100)
    }
  } finally {
    client.close()
  }
}
