import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import type { TestApp } from '../support/app.ts'

export const env = { MAYFLY_COMPATIBLE_APIS: 'mailpit, mailhog, maildev' }

interface Login { id: string, username: string, password: string }

/** A new address with a login, and the ways to send to it and to read it. */
export async function newInbox(app: TestApp, key = app.key) {
  const { body: { data } } = await app.api('POST', '/addresses', { body: { smtpLogin: true }, key })
  const login: Login = { id: data.id, ...data.smtp }
  return {
    ...login,
    async send(mail: SendMailOptions) {
      const auth = { user: login.username, pass: login.password }
      const transport = createTransport({ ...app.smtp, auth, tls: { rejectUnauthorized: false } })
      await transport.sendMail({ from: 'Shop <app@shop.example>', to: 'Ada <ada@customer.example>', ...mail })
      transport.close()
      await app.settled()
    },
    call: (path: string, options: CallOptions = {}) => call(app, login, path, options),
  }
}

interface CallOptions { method?: string, body?: unknown, headers?: Record<string, string> }

export async function call(
  app: TestApp, { username, password }: Pick<Login, 'username' | 'password'>, path: string, { method = 'GET', body, headers }: CallOptions = {},
) {
  const response = await fetch(`${app.url}/compatible/${path}`, {
    method,
    headers: { authorization: basic(username, password), ...body !== undefined && { 'content-type': 'application/json' }, ...headers },
    ...body !== undefined && { body: JSON.stringify(body) },
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

export const basic = (username: string, password: string) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

export const png = Buffer.from('iVBORw0KGgo=', 'base64')
export const order = {
  cc: 'team@shop.example', bcc: 'audit@hidden.example', replyTo: 'Help <help@shop.example>', subject: 'Your order',
  text: 'Your code is 482913.', html: '<p>Your code is <b>482913</b>.</p><img src="cid:logo">', messageId: '<order@shop.example>',
  attachments: [{ filename: 'invoice.pdf', content: 'a pdf' }, { filename: 'logo.png', content: png, cid: 'logo' }],
} satisfies SendMailOptions

export async function sendRaw(app: TestApp, to: string, raw: string) {
  const transport = createTransport({ ...app.smtp, tls: { rejectUnauthorized: false } })
  await transport.sendMail({ envelope: { from: 'g@shop.example', to }, raw })
  transport.close()
  await app.settled()
}
