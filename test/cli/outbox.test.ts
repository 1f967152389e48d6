import { expect } from 'chai'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { shortTime, tableOrBlocks } from '../../cli/output.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { addFailedVerification, addForward } from '../support/store/outgoing.ts'
import { mayfly } from './run.ts'

describe('CLI: outbox', function () {
  let dns: DnsServer
  let app: TestApp
  let from: { id: string, address: string }
  before(async () => {
    dns = await openDnsServer({ 'deferred.example.org': 'SERVFAIL' })
    app = await openTestApp({ env: { MAYFLY_OUTBOUND: 'direct', MAYFLY_DNS_SERVERS: dns.servers } })
    from = await app.newAddress({ alias: 'shop' })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  const run = (...args: string[]) => mayfly(['outbox', ...args], { MAYFLY_DATABASE: join(app.folder, 'mayfly.db') })
  async function list(...args: string[]) {
    const { code, stdout, stderr } = await run('list', '--json', ...args)
    expect([code, stderr], args.join(' ')).to.deep.equal([0, ''])
    expect(stdout).to.match(/^[^\n]+\n$/)
    return JSON.parse(stdout) as Record<string, any>[]
  }
  async function send(input: Record<string, unknown>, key = app.key) {
    const { status, body } = await app.api('POST', '/emails', { key, body: { fromAddressId: from.id, subject: 'Hello', body: 'Hello.\n', ...input } })
    expect(status, JSON.stringify(body)).to.equal(202)
    await app.settled()
    return body.data.id as string
  }

  it('is empty at first', async () => {
    expect(await list()).to.deep.equal([])
    expect(await run('list')).to.deep.equal({ code: 0, stdout: 'ID  CREATED  KIND  FROM → TO  SUBJECT  STATUS  ATTEMPTS  NEXT  REASON\n', stderr: '' })
  })

  it('lists waiting mail, newest first, and finished mail with --all or --status', async () => {
    const deferred = await send({ to: 'ada@deferred.example.org', subject: 'Where is my order?' })
    const failed = await send({ to: 'ada@missing.example.org' })
    const sent = await send({ to: from.address })
    const waiting = await list()
    const [{ id, reason, nextAttemptAt }] = waiting as [Record<string, any>]
    expect(waiting).to.deep.equal([{
      id, kind: 'sent', mode: 'live', emailId: deferred, createdAt: '2026-03-14T09:00:00.000Z', from: 'shop@mail.localhost', to: 'ada@deferred.example.org',
      subject: 'Where is my order?', status: 'deferred', attempts: 1, nextAttemptAt, sentAt: null, reason,
    }])
    expect(nextAttemptAt).to.match(/^2026-03-14T09:0.*Z$/).and.satisfy((time: string) => time > waiting[0]!['createdAt'])
    expect(reason).to.equal('The DNS lookup of deferred.example.org failed: the server failed')
    expect((await list('--all')).map(({ emailId, status, sentAt }) => [emailId, status, sentAt])).to.deep.equal([
      [sent, 'sent', '2026-03-14T09:00:00.000Z'], [failed, 'failed', null], [deferred, 'deferred', null],
    ])
    expect((await list('--status', 'failed', 'sent')).map(({ status }) => status)).to.deep.equal(['sent', 'failed'])
    expect((await list('--status', 'captured'))).to.deep.equal([])
    expect((await list('--all', '--limit', '1')).map(({ emailId }) => emailId)).to.deep.equal([sent])
    const text = await run('list', '--all', '--limit', '2')
    expect(text.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(2, 6))).to.deep.equal([
      ['KIND', 'FROM → TO', 'SUBJECT', 'STATUS'],
      ['sent', 'shop@mail.localhost → shop@mail.localhost', 'Hello', 'sent'],
      ['sent', 'shop@mail.localhost → ada@missing.example.org', 'Hello', 'failed'],
      [],
    ])
    expect(text.stderr).to.equal('These are the newest 2: --limit shows more.\n')
  })

  it('shows a captured mail decoded, or its unchanged source', async () => {
    const key = await app.newKey({ isTest: true })
    const address = (await app.api('POST', '/addresses', { key, body: { alias: 'tester' } })).body.data
    const emailId = await send({
      fromAddressId: address.id, to: 'ada@example.org', subject: 'Grüße', body: 'Ihr Link: https://shop.example/c?t=1&u=ü\n', bodyHtml: '<p>Ihr Link</p>',
    }, key)
    const [mail] = await list('--status', 'captured') as [Record<string, any>]
    expect(mail).to.include({ emailId, mode: 'test', status: 'captured', subject: 'Grüße', attempts: 1, nextAttemptAt: null, reason: null })
    const text = 'Ihr Link: https://shop.example/c?t=1&u=ü'
    expect(await run('show', mail.id)).to.deep.equal({
      code: 0, stderr: '',
      stdout: `From: tester@mail.localhost\nTo: ada@example.org\nSubject: Grüße\nDate: 2026-03-14T09:00:00.000Z\n\n${text}\n`,
    })
    const { code, stdout, stderr } = await run('show', mail.id.slice(-9), '--raw')
    expect([code, stderr]).to.deep.equal([0, ''])
    const raw = await app.api('GET', `/emails/${emailId}/raw`, { key })
    expect(stdout).to.equal(String(raw.body))
    const parsed = await simpleParser(stdout)
    expect(parsed.text).to.equal('Ihr Link: https://shop.example/c?t=1&u=ü\n')
    expect(parsed.html).to.include('<p>Ihr Link</p>')
    const shown = await run('show', mail.id.toUpperCase(), '--json')
    expect(shown.stdout).to.match(/^[^\n]+\n$/)
    const url = 'https://shop.example/c?t=1&u=ü'
    expect(JSON.parse(shown.stdout)).to.deep.equal({ ...mail, text: `${text}\n`, links: [{ url, text: url }], encoding: 'utf8', source: stdout })
  })

  it('shows a forwarded mail with its trace header lines on top, also with bytes that are not UTF-8', async () => {
    const source = Buffer.from('From: Ren\xe9 <rene@example.org>\r\nSubject: \x1b[31mred\r\n\r\nd\xe9j\xe0 vu\r\n', 'latin1')
    await app.send({ raw: source, envelope: { from: 'rene@example.org', to: [from.address] } })
    await app.settled()
    const [email] = await app.listEmails({ address_id: from.id, type: 'received' })
    const id = await addForward(app, email!.id, 'me@example.net')
    const shown = JSON.parse((await run('show', id, '--json')).stdout)
    expect(shown).to.include({ id, kind: 'forward', from: 'rene@example.org', to: 'me@example.net', status: 'queued', attempts: 0, encoding: 'base64' })
    const forwarded = Buffer.from(shown.source, 'base64')
    expect(forwarded.toString('latin1')).to.match(/^Received: from /).and.match(/\r\nX-Forwarded-To: me@example\.net\r\n/)
    expect(forwarded.subarray(-source.length).equals(source)).to.equal(true)
    const { stdout } = await run('list')
    expect(stdout).to.include(id).and.to.not.include('\x1b')
  })

  it('prints errors to stderr, and exits with 1', async () => {
    const id = await addFailedVerification(app, 'me@example.net', 'No such user')
    for (const [args, sentence] of [
      [['show', '019c0000-0000-7000-8000-000000000000'], /^mayfly: There is no mail with the id 019c0000-0000-7000-8000-000000000000\. "mayfly outbox list --all" shows them\.\n$/],
      [['show', 'nonsense', '--json'], /^mayfly: There is no mail with the id nonsense\./],
      [['show', id], /^mayfly: The source of this mail has been removed\. Its status is failed\.\n$/],
      [['show'], /missing required argument 'id'/],
      [['list', '--status', 'lost'], /--status .*'lost' is invalid\. Allowed choices are captured, queued, sending, deferred, sent, failed\./],
      [['list', '--limit', '0'], /'0' is invalid\. It takes a whole number from 1 to 99999\./],
      [['list', '--limit', '1e3'], /'1e3' is invalid\./],
    ] as [string[], RegExp][]) {
      const { code, stdout, stderr } = await run(...args)
      expect(stderr).to.match(sentence)
      expect([code, stdout], args.join(' ')).to.deep.equal([1, ''])
    }
  })

  it('prints rows as blocks when the terminal is too narrow for a table', () => {
    const [head, rows] = [['ID', 'SUBJECT', 'REASON'], [['1', 'Hello', ''], ['2', 'Where is it?', 'no answer']]]
    expect(tableOrBlocks(head, rows, 30)).to.equal('ID  SUBJECT       REASON\n1   Hello\n2   Where is it?  no answer')
    expect(tableOrBlocks(head, rows, 20)).to.equal('ID       1\nSUBJECT  Hello\n\nID       2\nSUBJECT  Where is it?\nREASON   no answer')
    expect(tableOrBlocks(head, rows, undefined)).to.equal(tableOrBlocks(head, rows, 30))
  })

  it('shows a time of today as hours and minutes, an earlier one as a day, and a later one as the time until then', () => {
    const now = new Date(2026, 2, 14, 11, 30)
    const shown = (...parts: [number, number, number, number?, number?]) => shortTime(new Date(...parts), now)
    expect([shown(2026, 2, 14, 11, 4), shown(2026, 2, 13, 23, 59), shown(2025, 11, 24)]).to.deep.equal(['11:04', '13 Mar', '24 Dec 2025'])
    expect([shown(2026, 2, 14, 11, 40), shown(2026, 2, 14, 16, 20), shown(2026, 3, 12, 11, 30)]).to.deep.equal(['in 10 min', 'in 5 h', 'in 29 d'])
  })
})
