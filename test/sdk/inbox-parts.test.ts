import { expect } from 'chai'
import { Mayfly, NotFoundError, TimeoutError } from '@mayfly-mail/sdk'
import type { Inbox, WaitForOptions } from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rejectionOf } from './rejection.ts'

describe('SDK: codes, links and filters of an inbox', () => {
  let app: TestApp
  let mayfly: Mayfly
  let inbox: Inbox

  before(async () => {
    app = await openTestApp({ isRealTime: true })
    mayfly = new Mayfly({ apiKey: app.key, baseUrl: app.url, waitTimeoutMs: 10_000 })
  })
  after(() => app?.[Symbol.asyncDispose]())
  beforeEach(async () => { inbox = await mayfly.inboxes.create() })
  afterEach(() => inbox.delete())

  /** Delivers mails one after the other. */
  async function deliver(...mails: { subject: string, text?: string, html?: string, to?: string }[]) {
    for (const mail of mails) {
      await app.send({ to: inbox.address, text: 'Hello', ...mail })
      await app.settled()
    }
  }
  const welcome = { subject: 'Welcome', text: 'Hello' }
  const code = { subject: 'Please confirm', text: 'Your code is 482913.' }
  const links = {
    subject: 'Please confirm',
    html: '<a href="https://shop.example/confirm?token=abc">Confirm your address</a> <a href="https://shop.example/help">Help</a>',
  }
  const timeoutOf = async (promise: Promise<unknown>) => {
    const error = await rejectionOf(promise)
    expect(error).to.be.instanceOf(TimeoutError)
    return error.message
  }

  it('waits for a code, and skips mail without one', async () => {
    const waiting = inbox.waitForCode()
    await deliver(welcome, code)
    expect(await waiting).to.equal('482913')
  })

  it('finds a code that arrived before the call, also by an expression', async () => {
    await deliver(welcome, code)
    expect(await inbox.waitForCode({ subject: /confirm/ })).to.equal('482913')
  })

  it('reports the mail that came without a code', async () => {
    await deliver(welcome)
    expect(await timeoutOf(inbox.waitForCode({ timeoutMs: 300 }))).to.equal(
      `Waited 0.3 s for an email to ${inbox.address} with a code. 1 mail came, without a code: "Welcome" from shop@example.org.`,
    )
    await deliver({ subject: 'News' })
    expect(await timeoutOf(inbox.waitForCode({ timeoutMs: 300, subject: 'News' }))).to.match(
      /with a code, subject "News"\. 1 mail came, without a code: "News" from shop@example\.org\. Other mail arrived: "Welcome" from shop@example\.org\.$/,
    )
    expect(await timeoutOf(inbox.waitForCode({ timeoutMs: 300 }))).to.include('2 mails came, without a code: "Welcome" from')
  })

  it('reports that no mail came', async () => {
    expect(await timeoutOf(inbox.waitForCode({ timeoutMs: 100 }))).to.match(/with a code\. No other mail arrived\.$/)
  })

  it('returns a mail again that a failed wait for a code has read', async () => {
    await deliver(welcome)
    await timeoutOf(inbox.waitForCode({ timeoutMs: 100 }))
    expect((await inbox.waitFor()).subject).to.equal('Welcome')
  })

  it('waits for a link, by its text and its URL', async () => {
    await deliver(welcome, links)
    const after = new Date(0)
    expect(await inbox.waitForLink({ after })).to.equal('https://shop.example/confirm?token=abc')
    expect(await inbox.waitForLink({ after, text: 'help' })).to.equal('https://shop.example/help')
    expect(await inbox.waitForLink({ after, url: /confirm\?token=\w+$/ })).to.equal('https://shop.example/confirm?token=abc')
    expect(await inbox.waitForLink({ after, text: /^Confirm/, url: 'SHOP.example' })).to.equal('https://shop.example/confirm?token=abc')
    expect(await timeoutOf(inbox.waitForLink({ after, text: /^Confirm/, url: '/help', timeoutMs: 300 }))).to.match(
      /^Waited 0\.3 s for an email to \S+@\S+ with a link, text \/\^Confirm\/, url "\/help"\. 2 mails came, without such a link: "Welcome" from \S+, "Please confirm" from/,
    )
    expect(await timeoutOf(inbox.waitForLink({ after, subject: 'Welcome', timeoutMs: 300 }))).to.include('1 mail came, without a link: "Welcome"')
  })

  const filters: [name: string, options: Partial<WaitForOptions>, subject: string | undefined][] = [
    ['text in the plain-text body', { body: 'YOUR CODE' }, 'Please confirm'],
    ['an expression for the plain-text body', { body: /is \d{6}\.$/m }, 'Please confirm'],
    ['text in the HTML body', { body: 'emphasis' }, 'Markup'],
    ['text at the end of a long body, which lists truncate', { body: 'the end' }, 'Long'],
    ['a body that no mail has', { body: 'missing' }, undefined],
    ['text in the recipient', { to: '+VIP@' }, 'Tagged'],
    ['an expression for the recipient', { to: /\+vip@mail\.localhost$/ }, 'Tagged'],
    ['a function', { match: ({ codes }) => codes.includes('482913') }, 'Please confirm'],
    ['an asynchronous function', { match: async ({ id }) => (await (await mayfly.emails.raw(id)).text()).includes('emphasis') }, 'Markup'],
    ['a function and text', { subject: 'Markup', match: ({ codes }) => codes.length > 0 }, undefined],
  ]
  it('filters by body, recipient and a function', async () => {
    await deliver(
      welcome, code, { subject: 'Markup', html: '<p><b class="emphasis">Hi</b></p>' }, { subject: 'Long', text: `${'word '.repeat(2_000)}the end` },
      { subject: 'Tagged', to: inbox.address.replace('@', '+vip@') },
    )
    for (const [name, options, subject] of filters) {
      const waiting = inbox.waitFor({ after: new Date(0), timeoutMs: subject ? 10_000 : 300, ...options })
      if (subject) expect((await waiting).subject, name).to.equal(subject)
      else expect(await timeoutOf(waiting), name).to.include('Other mail arrived')
    }
  })

  it('calls `match` once for each mail', async () => {
    await deliver(welcome, code)
    const subjects: string[] = []
    await timeoutOf(inbox.waitFor({ timeoutMs: 300, match: ({ subject }) => subjects.push(subject) < 0 }))
    expect(subjects).to.deep.equal(['Welcome', 'Please confirm'])
  })

  it('ends with the error that `match` throws', async () => {
    await deliver(welcome)
    const errors = [new Error('broken'), new TimeoutError('of the caller'), new NotFoundError('gone', { status: 404, headers: new Headers() })]
    for (const error of errors) {
      expect(await rejectionOf(inbox.waitFor({ match: () => { throw error } }))).to.equal(error)
      expect(await rejectionOf(inbox.waitFor({ from: /shop/, match: async () => Promise.reject(error) }))).to.equal(error)
    }
  })

  it('ends in time when `match` does not', async () => {
    await deliver(welcome)
    expect(await timeoutOf(inbox.waitFor({ timeoutMs: 100, match: () => new Promise<never>(() => {}) }))).to.match(
      /"Welcome" from shop@example\.org\. The last request failed: match has not resolved$/,
    )
  })

  it('waits as long as the client says, or its function', async () => {
    const clients = [100, () => 100].map((waitTimeoutMs) => new Mayfly({ apiKey: app.key, baseUrl: app.url, waitTimeoutMs }))
    for (const client of clients) {
      const opened = await client.inboxes.open(inbox.id)
      expect(await timeoutOf(opened.waitFor())).to.match(/^Waited 0\.1 s/)
      expect(await timeoutOf(opened.waitFor({ timeoutMs: 200 }))).to.match(/^Waited 0\.2 s/)
    }
    const error = await rejectionOf(new Mayfly({ apiKey: app.key, baseUrl: app.url, waitTimeoutMs: () => NaN }).emails.waitFor())
    expect(error.message).to.equal('waitTimeoutMs must be a number above 0')
  })

  it('opens the inbox of an address, by its id or its email address', async () => {
    const [alias, domain] = inbox.address.split('@')
    for (const wanted of [inbox.id, inbox.address, inbox.address.toUpperCase(), `${alias}+tag@${domain}`]) {
      const opened = await mayfly.inboxes.open(wanted)
      expect({ ...opened }).to.deep.equal({ ...inbox })
    }
    const stranger = await new Mayfly({ apiKey: app.key, baseUrl: app.url }).inboxes.open(inbox.address)
    await deliver(code)
    expect(await stranger.waitForCode({ after: new Date(0) })).to.equal('482913')
  })

  it('opens no inbox of an unknown address', async () => {
    const byName = await rejectionOf(mayfly.inboxes.open('nobody@mail.localhost'))
    expect(byName).to.be.instanceOf(NotFoundError).and.to.include({ message: 'The account has no address nobody@mail.localhost.', code: 'NOT_FOUND' })
    expect(await rejectionOf(mayfly.inboxes.open('019ceb92-ea80-752e-bca9-6513269e0d37'))).to.be.instanceOf(NotFoundError)
    expect((await rejectionOf(mayfly.inboxes.open(undefined as never))).message).to.equal('inboxes.open: addressOrId is missing or malformed')
  })

  it('looks for an email address among the newest 1,000', async () => {
    let requests = 0
    const many = new Mayfly({ apiKey: 'svc_test_key', async fetch() {
      const addresses = Array.from({ length: 100 }, (_, i) => ({ id: `a${requests * 100 + i}`, address: 'other@mail.localhost' }))
      return Response.json({ data: { addresses, total: 5_000, limit: 100, offset: 0, hasMore: ++requests < 50 } })
    } })
    expect((await rejectionOf(many.inboxes.open('a@mail.localhost'))).message).to.equal(
      'The account has no address a@mail.localhost among its newest 1000. Open it by its id.',
    )
    expect(requests).to.equal(10)
  })
})
