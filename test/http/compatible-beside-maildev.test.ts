import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { installPeers } from '../../bench/peers/install.ts'
import { startMailDev } from '../../bench/peers/maildev.ts'
import { openTestApp } from '../support/app.ts'

const mails: SendMailOptions[] = [
  { to: 'Ada <ada@customer.example>', subject: 'plain', text: 'Your code is 482913.' },
  {
    to: ['ada@customer.example', 'Grace <grace@other.example>'], cc: 'team@shop.example', bcc: 'audit@hidden.example', subject: 'whole',
    text: 'text', html: '<p>html</p><img src="cid:logo">', inReplyTo: '<first@shop.example>', headers: { 'x-one': ['a', 'b'] },
    attachments: [{ filename: 'invoice.pdf', content: 'a pdf' }, { filename: 'logo.png', content: Buffer.from('iVBORw0KGgo=', 'base64'), cid: 'logo' }],
  },
  { to: 'ada@customer.example', subject: 'html', html: '<p>Only HTML.</p>' },
]

/** The names and the types of the members of an answer, at any depth. The fields of headers differ by the mail. */
function shapeOf(value: unknown, path = ''): string[] {
  if (path.endsWith('.headers')) return [`${path}: fields`]
  if (Array.isArray(value)) return [`${path}: list`, ...value.flatMap((each) => shapeOf(each, `${path}[]`))]
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${path}.${name}`))
  return [`${path}: ${value === null ? 'null' : typeof value}`]
}

const shape = (value: unknown) => [...new Set(shapeOf(value))].sort()

/** Method, path and body of a call, of which the latter two get the ids of the mails. */
type Call = [method: string, path: (ids: string[]) => string, body?: (ids: string[]) => object]

/** The emails of an answer. */
const listOf = (value: any): any[] => [value?.items ?? value].flat().filter((each) => each?.subject)

/** The members that do not differ by the server: ours does not put images into the HTML. */
const sameIn = ({ subject, from, to, cc, calculatedBcc, read, inReplyTo, html, attachmentCount, preview, attachments }: any) => ({
  subject, from, to, cc, calculatedBcc, read, inReplyTo, html: html?.replace(/src="[^"]*"/, ''), attachmentCount, preview,
  attachments: attachments?.map((file: object) => ({ ...file, generatedFileName: '' })),
})

describe('API of MailDev, beside MailDev', () => {
  it('has the members of its answers, with their types', async function () {
    this.timeout(300_000)
    await using app = await openTestApp({ env: { MAYFLY_COMPATIBLE_APIS: 'maildev' } })
    const maildev = await startMailDev(installPeers(), app.folder)
    try {
      const { body: { data: { smtp } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
      const servers: { url: string, headers: Record<string, string>, transport: Transporter }[] = [
        { url: maildev.url, headers: {}, transport: createTransport({ host: '127.0.0.1', port: maildev.smtpPort }) },
        {
          url: `${app.url}/compatible/maildev`,
          headers: { authorization: `Basic ${Buffer.from(`${smtp.username}:${smtp.password}`).toString('base64')}` },
          transport: createTransport({
            ...app.smtp, auth: { user: smtp.username, pass: smtp.password }, tls: { rejectUnauthorized: false },
          }),
        },
      ]
      for (const [second, mail] of mails.entries()) {
        const date = new Date(Date.UTC(2026, 2, 14, 9, 0, second)) // MailDev sorts by it
        for (const { transport } of servers) await transport.sendMail({ from: 'Shop <app@shop.example>', date, ...mail })
      }
      for (const { transport } of servers) transport.close()
      await app.settled()
      const answers = ([method, path, body]: Call) => Promise.all(servers.map(async ({ url, headers }) => {
        const ids = (await (await fetch(`${url}/api/email`, { headers })).json() as { id: string }[]).map(({ id }) => id)
        const response = await fetch(`${url}/api/${path(ids)}`, {
          method,
          headers: { ...headers, ...body && { 'content-type': 'application/json' } },
          ...body && { body: JSON.stringify(body(ids)) },
        })
        const isJson = response.headers.get('content-type')?.startsWith('application/json')
        return { status: response.status, value: isJson ? await response.json() as unknown : await response.text() }
      }))
      const calls: Call[] = [
        ['GET', () => 'email'], ['GET', () => 'email/summary'], ['GET', () => 'email?subject=whole'], ['GET', () => 'email?to.address=grace@other.example'],
        ['GET', () => 'email?skip=1&limit=1'], ['GET', () => 'email/summary?search=code'], ['GET', () => 'config'], ['GET', () => 'healthz'],
        ...[0, 1, 2].map((at): Call => ['GET', (ids) => `email/${ids[at]}`]),
        ['GET', (ids) => `email/${ids[1]}/source`], ['GET', (ids) => `email/${ids[0]}/html`], ['GET', () => 'email/unknown'],
        ['PATCH', () => 'email/read-all'], ['POST', () => 'email/delete', (ids) => ({ ids: [ids[0], 'unknown'] })],
        ['DELETE', (ids) => `email/${ids[0]}`], ['DELETE', () => 'email/all'], ['GET', () => 'email'],
      ]
      for (const [method, path, body] of calls) {
        const [theirs, ours] = await answers([method, path, body])
        const call = `${method} ${path(['0', '1', '2'])}`
        expect(ours!.status, call).to.equal(theirs!.status)
        expect(shape(ours!.value), call).to.deep.equal(shape(theirs!.value))
        expect(listOf(ours!.value).map(sameIn), call).to.deep.equal(listOf(theirs!.value).map(sameIn))
      }
    } finally {
      await maildev.stop()
    }
  })
})
