import { simpleParser } from 'mailparser'
import { capturedVerification } from './store/forwarding-addresses.ts'
import { openTestApp, shareTestApp } from './app.ts'
import type { TestApp, TestOptions } from './app.ts'
import { openReceiver } from './receiver.ts'
import type { Receiver, ReceiverOptions } from './receiver.ts'

/** A server that delivers all its mail to a receiver. */
export interface ForwardingWorld extends AsyncDisposable {
  app: TestApp
  receiver: Receiver
  /** The link in the newest verification mail to an address. */
  linkTo(email: string): Promise<string>
  /** Adds a forwarding address and verifies it; the receiver then drops all mail so far. */
  newVerified(email?: string, key?: string): Promise<{ id: string, email: string }>
}

export async function openForwardingWorld(options: TestOptions & { receiver?: ReceiverOptions } = {}): Promise<ForwardingWorld> {
  const receiver = await openReceiver(options.receiver)
  const app = await openTestApp({ ...options, env: { MAYFLY_OUTBOUND: `smtp://127.0.0.1:${receiver.port}`, ...options.env } })
  return toWorld(app, receiver)
}

/** One server and one receiver for all tests of a suite. @returns a function that gives a test an account, and the receiver without mail */
export function shareForwardingWorld(): () => Promise<ForwardingWorld> {
  const env: Record<string, string> = {}
  let receiver: Receiver
  before(async () => {
    receiver = await openReceiver()
    env['MAYFLY_OUTBOUND'] = `smtp://127.0.0.1:${receiver.port}`
  })
  const newAccount = shareTestApp({ env })
  after(() => receiver[Symbol.asyncDispose]())
  return async () => {
    const app = await newAccount()
    receiver.reset()
    return { ...toWorld(app, receiver), async [Symbol.asyncDispose]() {} }
  }
}

function toWorld(app: TestApp, receiver: Receiver): ForwardingWorld {

  const linkTo = async (email: string) => {
    await app.settled()
    const mail = receiver.mails.findLast(({ recipient }) => recipient === email)
    return mail ? linkIn(mail.source) : capturedLink(app, email)
  }

  return {
    app,
    receiver,
    linkTo,
    async newVerified(email = 'ada@example.com', key = app.key) {
      const { data } = (await app.api('POST', '/forwarding-addresses', { key, body: { email } })).body
      await press(app, await linkTo(data.email))
      receiver.mails.length = 0
      return data
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** The link in the newest captured verification mail. */
export async function capturedLink(app: TestApp, email: string): Promise<string> {
  await app.settled()
  return linkIn(await capturedVerification(app, email))
}

async function linkIn(source: Buffer): Promise<string> {
  const { text } = await simpleParser(source)
  return /^http\S+$/m.exec(text!)![0]
}

/** Requests the page of a link from the test's server, regardless of the link's host. */
export async function visit(app: TestApp, link: string, method = 'GET', init: RequestInit = {}) {
  const { pathname, search } = new URL(link)
  const response = await fetch(`${app.url}${pathname}${search}`, { method, redirect: 'manual', ...init })
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, title: /<h1>(.*?)<\/h1>/s.exec(html)?.[1] }
}

/** Submits the form of the page. */
export const press = (app: TestApp, link: string) => visit(app, link, 'POST')
