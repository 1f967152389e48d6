import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import { codePage, signUpPage, welcomePage } from './pages.ts'

interface Page { status: number, html?: string, location?: string }

/** A shop with open registration by a code that it sends by mail. It keeps its data in memory. */
export async function openShop({ port = 0, smtp }: { port?: number, smtp: { host: string, port: number } }) {
  const transport = createTransport({ ...smtp, tls: { rejectUnauthorized: false } })
  const signUps = new Map<string, { email: string, code: string }>()
  const mails = new Set<Promise<unknown>>()

  /** Sent after the page is shown, as in most shops. */
  function sendCode(email: string, code: string) {
    const mail: Promise<unknown> = transport
      .sendMail({ from: 'Corner Shop <hello@shop.example>', to: email, subject: 'Your sign-up', text: `Your code is ${code}.` })
      .catch((error: Error) => console.error(`no mail to ${email}: ${error.message}`))
      .finally(() => mails.delete(mail))
    mails.add(mail)
  }

  function signUp(form: URLSearchParams): Page {
    const [id, email] = [randomUUID(), form.get('email') ?? '']
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return { status: 400, html: signUpPage('This is no address.') }
    return newCode(id, email)
  }

  function newCode(id: string, email: string): Page {
    const code = String(randomInt(100_000, 1_000_000))
    signUps.set(id, { email, code })
    sendCode(email, code)
    return { status: 303, location: `/code?id=${id}` }
  }

  function confirm(id: string, form: URLSearchParams): Page {
    const { email, code } = signUps.get(id)!
    if (form.has('again')) return newCode(id, email)
    if (form.get('code') !== code) return { status: 400, html: codePage(email, 'This is not the code.') }
    signUps.delete(id)
    return { status: 200, html: welcomePage(email) }
  }

  async function answer(request: IncomingMessage): Promise<Page> {
    const { pathname, searchParams } = new URL(request.url!, 'http://shop')
    const form = request.method === 'POST' ? new URLSearchParams(await text(request)) : undefined
    const id = searchParams.get('id') ?? ''
    if (pathname === '/') return form ? signUp(form) : { status: 200, html: signUpPage() }
    if (pathname !== '/code' || !signUps.has(id)) return { status: 404, html: signUpPage('There is nothing here. Start again.') }
    return form ? confirm(id, form) : { status: 200, html: codePage(signUps.get(id)!.email) }
  }

  const server = createServer((request, response) => {
    answer(request).then(({ status, html, location }) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...location && { location } }).end(html)
    }, () => response.destroy())
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await Promise.all([closed, ...mails])
      transport.close()
    },
  }
}
