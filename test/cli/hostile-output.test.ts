import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixed, json, openFaultServer } from '../sdk/fault-server.ts'
import type { FaultServer } from '../sdk/fault-server.ts'
import { hasTerminal, mayfly, start, startOnTerminal } from './run.ts'
import type { Outcome } from './run.ts'

/** Control characters that set the title of a terminal, clear it, change its colour (C1) and reverse text (bidi). */
const nasty = 'x\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2067\u200f\u061cy'
const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const uuid = '019ceb92-ea80-752e-bca9-6513269e0d37'
const at = '2026-03-14T09:00:00.000Z'

const address = {
  id: uuid, address: nasty, alias: nasty, isActive: true, createdAt: at, expiresAt: at, emailCount: 1,
  unreadCount: 1, lastEmailAt: at, forwarding: null,
}
const email = {
  id: nasty, addressId: nasty, type: 'received', from: nasty, fromName: nasty, to: nasty, subject: nasty, bodyText: `${nasty}\n`, bodyHtml: nasty,
  receivedAt: at, status: nasty, failureReason: nasty, codes: [nasty], links: [{ url: nasty, text: `${nasty}.` }], hasAttachments: true,
  codeDetails: [{ code: nasty, expiresInSeconds: 60, boundTo: nasty }], warnings: ['otherHost', nasty].map((type) => ({ type, fields: [nasty], url: nasty, host: nasty, namedHost: nasty })),
  attachments: [{ id: uuid, filename: nasty, contentType: nasty, size: 1 }],
}
const webhook = {
  id: nasty, url: nasty, events: [nasty], form: nasty, isActive: false, disabledReason: nasty, createdAt: at, secret: nasty,
}
const delivery = {
  id: nasty, event: nasty, attempt: 1, status: nasty, responseStatus: 200, durationMs: 1, dueAt: at, error: nasty, createdAt: at,
}
const event = (type: string, data: object) =>
  `id: 1\ndata: ${JSON.stringify({ id: nasty, type, createdAt: at, data: { addressId: uuid, address: nasty, emailId: uuid, ...data } })}\n\n`

const answers: [RegExp, (request: IncomingMessage, response: ServerResponse) => void][] = [
  [/^\w+ \/api\/v1\/events$/, fixed(200, 'text/event-stream', event('email.received', {}) + event('address.deleted', {}))],
  [/^GET .*\/raw$/, fixed(200, 'message/rfc822', `Subject: ${nasty}\r\n\r\n`)],
  [/\/attachments\//, fixed(200, 'text/plain', 'x')],
  [/^GET .*\/emails\?/, json(200, { data: [email], total: 1, limit: 1, offset: 0, hasMore: false, cursor: 'c1-1', serverTime: new Date() })],
  [/^\w+ .*\/emails(\/|$)/, json(200, { data: email })],
  [/^GET .*\/addresses\?/, json(200, { data: { addresses: [address], total: 1, hasMore: false } })],
  [/^\w+ .*\/addresses/, json(200, { data: { ...address, deleted: true } })],
  [/^GET .*\/deliveries/, json(200, { data: [delivery], total: 1, hasMore: false })],
  [/^POST .*\/test$/, json(200, { data: delivery })],
  [/^GET .*\/webhooks$/, json(200, { data: [webhook] })],
  [/^DELETE .*\/webhooks/, json(200, { message: nasty })],
  [/^\w+ .*\/webhooks/, json(200, { data: webhook })],
]

/** Every client command that ends without a signal. */
const commands = [
  ['address', 'create'], ['address', 'list'], ['address', 'delete', uuid], ['inbox', 'list', uuid], ['inbox', 'wait', uuid], ['inbox', 'watch', uuid],
  ['email', 'show', uuid], ['email', 'send', '--from', uuid, '--to', 'a@example.org', '--subject', 's', '--text', 't'],
  ['webhook', 'add', 'https://example.org/'], ['webhook', 'list'], ['webhook', 'test', uuid], ['webhook', 'deliveries', uuid], ['webhook', 'delete', uuid],
]

describe('CLI: output of a hostile server', function () {
  let server: FaultServer
  let home: string
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const answerAll: typeof answer = (request, response) => {
    const [, found] = answers.find(([pattern]) => pattern.test(`${request.method} ${request.url}`)) ?? []
    if (!found) throw new Error(`${request.method} ${request.url} has no answer`)
    found(request, response)
  }
  before(async () => {
    server = await openFaultServer((request, response) => answer(request, response))
    home = await mkdtemp(join(tmpdir(), 'mayfly-hostile-'))
  })
  after(async () => {
    await server?.[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })
  beforeEach(() => { answer = answerAll })

  const key = 'svc_test_0123456789abcdefghijklmnopqrstuv'
  const variables = () => ({ HOME: home, MAYFLY_API_KEY: key, MAYFLY_BASE_URL: server.url })

  /** Runs commands, a few at a time. */
  async function runAll(all: string[][]) {
    const outcomes: ({ args: string[] } & Outcome)[] = []
    const left = all.entries()
    await Promise.all([1, 2, 3, 4].map(async () => {
      for (const [i, args] of left) outcomes[i] = { args, ...await mayfly(args, variables(), key) }
    }))
    return outcomes
  }

  it('prints no control characters of an answer', async () => {
    const saved = ['email', 'save-attachments', uuid, '--to', join(home, 'files')]
    for (const { args, code, stdout, stderr } of await runAll([...commands, saved].flatMap((args) => [args, [...args, '--json']]))) {
      expect([code, stdout !== ''], `${args.join(' ')}: ${stderr}`).to.deep.equal([0, true])
      expect(stdout, args.join(' ')).to.not.match(obeyed)
      expect(stderr, args.join(' ')).to.not.match(obeyed)
    }
    await using listening = start(['webhook', 'listen', '--forward-to', 'http://127.0.0.1:9'], variables())
    await listening.says('stdout', /→ failed in/)
    const { stdout, stderr } = await listening.stop('SIGINT')
    expect(stdout + stderr).to.not.match(obeyed)
  })

  it('goes on watching after an email whose answer is too long', async () => {
    answer = (request, response) =>
      /\/emails\//.test(request.url!) ? fixed(200, 'application/json', `[${'0,'.repeat(100_000)}0]`)(request, response) : answerAll(request, response)
    const { code, stderr } = await mayfly(['inbox', 'watch', uuid], variables(), key)
    expect(code).to.equal(0)
    expect(stderr).to.match(/\nEmail \S+ is not shown: http:\S+ answered 200 .*, of more than 100000 values\..*\n.* was deleted\.\n$/)
  })

  it('prints no control characters of an error', async () => {
    const errors = [json(404, { error: nasty, code: 'NOT_FOUND' }), json(400, { error: nasty, code: 'INVALID_REQUEST', details: [{ path: nasty, message: nasty }] }),
      json(403, { error: nasty, code: nasty }), fixed(200, 'text/html', nasty)]
    for (const one of errors) {
      answer = one
      const some = one === errors[0] ? commands : [['address', 'list'], ['login', '--key-stdin']]
      for (const { code, stdout, stderr } of await runAll(some)) {
        expect([code, stdout]).to.deep.equal([1, ''])
        expect(stderr).to.match(/^mayfly: .+\n$/).and.to.not.match(obeyed)
      }
    }
    const { stderr } = await mayfly(['email', 'show', nasty], variables())
    expect(stderr).to.include('is invalid').and.to.not.match(obeyed)
    const unknown = await mayfly([nasty, `--${nasty}`], variables())
    expect(unknown.stderr).to.match(/unknown/).and.to.not.match(obeyed)
  })

  it('shows no API key in an error, from whichever source', async () => {
    answer = (request, response) => json(400, { error: `No, ${request.headers.authorization}`, code: 'INVALID_REQUEST' })(request, response)
    const other = 'svc_live_vutsrqponmlkjihgfedcba9876543210'
    const outcomes = await Promise.all([
      mayfly(['address', 'list'], variables()), mayfly(['address', 'list'], { ...variables(), MAYFLY_DEBUG: '1' }),
      mayfly(['inbox', 'list', other], variables()), mayfly([key], variables()), mayfly(['address', 'list', `--key=${other}`], variables()),
      mayfly(['email', 'show', other], variables()), mayfly(['address', 'list', '--url', `http://me:${other}@localhost`], variables()),
      mayfly(['address', 'list', '--url', `http://me:${other}@localhost`], { HOME: home }), mayfly(['login', '--url', server.url], { HOME: home }, other),
    ])
    for (const { code, stdout, stderr } of outcomes) {
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.not.equal('').and.to.not.include(other.slice(9)).and.to.not.include(key.slice(9))
    }
  })

  it('names the command that lists the ids, for an unknown id', async () => {
    answer = json(404, { error: 'There is none with this id.', code: 'NOT_FOUND' })
    const hints: [string[], string][] = [
      [['webhook', 'remove', uuid], 'There is none with this id. "mayfly webhook list" shows them.'],
      [['webhook', 'delete', uuid], 'There is none with this id. "mayfly webhook list" shows them.'],
      [['webhook', 'test', uuid], 'There is none with this id. "mayfly webhook list" shows them.'],
      [['webhook', 'deliveries', uuid], 'There is none with this id. "mayfly webhook list" shows them.'],
      [['email', 'show', uuid], 'There is none with this id. "mayfly email list" shows them.'],
      [['email', 'raw', uuid], 'There is none with this id. "mayfly email list" shows them.'],
      [['email', 'save-attachments', uuid, '--to', home], 'There is none with this id. "mayfly email list" shows them.'],
      [['address', 'delete', uuid], `There is no address ${uuid} of yours. "mayfly address list" shows them.`],
      [['inbox', 'list', uuid], `There is no address ${uuid} of yours. "mayfly address list" shows them.`],
    ]
    await Promise.all(hints.map(async ([args, sentence]) => {
      expect(await mayfly(args, variables()), args.join(' ')).to.deep.equal({ code: 1, stdout: '', stderr: `mayfly: ${sentence}\n` })
    }))
  })

  it('writes the source of a mail byte for byte to a pipe, and to a terminal without control characters', async function () {
    expect((await mayfly(['email', 'raw', uuid], variables())).stdout).to.equal(`Subject: ${nasty}\r\n\r\n`)
    if (!hasTerminal()) return this.skip()
    const shown = await startOnTerminal(['email', 'raw', uuid], variables()).ended
    expect(shown.stdout).to.match(/^Subject: x\]0;owned\[2J31my\r\n\r\n$/)
    const waited = await startOnTerminal(['inbox', 'wait', uuid], variables()).ended
    expect(waited.stdout).to.include(']0;owned').and.to.not.match(/\x1b\]0|\x9b|\x07|\u202e/)
  })
})
