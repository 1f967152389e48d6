import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentFor, operationsOf } from '../../openapi/document.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { mayfly, start } from './run.ts'

/** Operations without a command, each with its reason. */
const withoutCommand: Record<string, string> = {
  'test.createEmail': 'puts mail into a mailbox from a test program, which has the SDK; a person sends a mail to port 2525',
}

describe('CLI: every operation of the API has a command', function () {
  let app: TestApp
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-operations-'))
    app = await openTestApp({ isRealTime: true })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const variables = () => ({ HOME: folder, MAYFLY_API_KEY: app.key, MAYFLY_BASE_URL: app.url })
  const run = (...args: string[]) => mayfly(args, variables())
  async function succeed(...args: string[]) {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stderr.replaceAll(/^("mayfly domain verify|This secret|These are the newest).*\n/gm, '')], args.join(' ')).to.deep.equal([0, ''])
    return stdout
  }
  const json = async (...args: string[]) => JSON.parse(await succeed(...args, '--json'))
  const fails = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout], args.join(' ')).to.deep.equal([1, ''])
    return stderr
  }

  it('forwarding: adds, lists, verifies and deletes addresses; sets, shows and ends a rule', async () => {
    const { id, address } = await app.newAddress({ alias: 'rules' })
    const added = await json('forwarding', 'add', 'ada@example.com')
    expect(added).to.include({ email: 'ada@example.com', isVerified: false })
    expect(await fails('forwarding', 'set', 'rules', '--to', 'ada@example.com')).to.match(/^mayfly: --to: the forwarding address is not verified\. Follow the link/)
    expect(await succeed('forwarding', 'verify', 'ADA@example.com')).to.equal('A verification email is on its way to ada@example.com.\n')
    expect(await fails('forwarding', 'verify', 'ada@example.com')).to.match(/is sent a verification email again at most once in a minute/)
    await press(app, await capturedLink(app, 'ada@example.com'))
    expect(await fails('forwarding', 'verify', added.id.slice(-5))).to.match(/is verified already/)
    expect(await succeed('forwarding', 'list')).to.match(/^EMAIL +VERIFIED +CREATED +ID\nada@example\.com +\S+Z /)
    expect(await succeed('forwarding', 'show', 'rules')).to.equal(`${address} is not forwarded\n`)
    expect(await fails('forwarding', 'set', 'rules', '--sender', 'shop')).to.match(/^mayfly: --to: is required/)
    expect(await fails('forwarding', 'set', 'rules')).to.equal('mayfly: Nothing changes: give --to, --sender or --subject.\n')
    expect(await succeed('forwarding', 'set', id.slice(-6), '--to', 'ADA@example.com', '--sender', 'shop'))
      .to.equal(`${address} is forwarded to ada@example.com\nonly mail of the sender shop\n`)
    expect(await json('forwarding', 'set', 'rules', '--sender', '', '--subject', 'invoice')).to.include({ filterSender: null, filterSubject: 'invoice', isActive: true })
    expect(await json('forwarding', 'off', 'rules')).to.include({ isActive: false, filterSubject: 'invoice' })
    expect(await json('forwarding', 'delete', added.id)).to.deep.equal({ id: added.id, email: 'ada@example.com', deleted: true })
    expect(await fails('forwarding', 'delete', 'ada@example.com')).to.match(/^mayfly: None of the 100 newest forwarding addresses has an id/)
  })

  it('domain: adds, lists, verifies, changes and deletes a domain', async () => {
    const table = await succeed('domain', 'add', 'QA.example.org')
    expect(table).to.match(/^TYPE +HOST +VALUE\nMX +qa\.example\.org +10 mail\.localhost\nTXT +qa\.example\.org +mayfly-verify=[0-9a-f]{32}\n$/)
    const [domain] = await json('domain', 'list')
    expect(domain).to.include({ domain: 'qa.example.org', status: 'pending' })
    expect(await fails('domain', 'add', 'co.uk')).to.match(/^mayfly: <domain>: is a public suffix/)
    expect(await json('domain', 'verify', 'qa.example.org')).to.include({ id: domain.id, status: 'pending' }).and.to.have.property('message')
    const { id, address } = await app.newAddress({ alias: 'catcher' })
    expect(await json('domain', 'catch-all', 'qa.example.org', 'catcher')).to.include({ id: domain.id, catchAllId: id })
    expect(await succeed('domain', 'catch-all', domain.id.slice(-6), id)).to.equal(`mail to other names at qa.example.org comes to ${address}\n`)
    expect(await succeed('domain', 'catch-all', 'qa.example.org', '--end')).to.equal('mail to other names at qa.example.org is refused\n')
    expect(await fails('domain', 'catch-all', 'qa.example.org')).to.equal('mayfly: Nothing changes: give an address, or --end.\n')
    expect(await succeed('domain', 'delete', domain.id.slice(0, 8))).to.equal(`deleted qa.example.org (${domain.id})\n`)
  })

  it('webhook: adds, shows, changes, switches, tests, redelivers, rotates and deletes', async () => {
    const { id, secret } = await json('webhook', 'add', 'https://hooks.example.com/one', '--events', 'email.received')
    const end = id.slice(-6)
    expect(await succeed('webhook', 'show', end)).to.equal(`${id}\nURL      https://hooks.example.com/one\nEvents   email.received\nForm     both\nDialect  primary\nState    active\n`)
    expect(await json('webhook', 'update', end, '--new-url', 'https://hooks.example.com/two', '--events', 'email.deleted'))
      .to.deep.include({ id, url: 'https://hooks.example.com/two', events: ['email.deleted'] })
    expect(await fails('webhook', 'update', end, '--new-url', 'http://localhost/')).to.match(/^mayfly: --new-url: must be an https URL\. Give the public https address/)
    expect(await fails('webhook', 'update', end)).to.equal('mayfly: Nothing changes: give --new-url, --events or --form.\n')
    expect(await json('webhook', 'update', end, '--form', 'a')).to.include({ form: 'a' })
    expect(await json('webhook', 'disable', end)).to.include({ isActive: false })
    expect(await succeed('webhook', 'enable', end)).to.match(/State    active\n$/)
    const next = await succeed('webhook', 'rotate-secret', id.slice(-8))
    expect(next).to.match(/^whsec_\S+\n$/).and.to.not.include(secret)
    const tested = await json('webhook', 'test', end)
    expect(await json('webhook', 'deliveries', end)).to.have.length.above(0)
    expect((await json('webhook', 'redeliver', id, tested.id.slice(-7))).eventId).to.equal(tested.eventId)
    expect(await json('webhook', 'list')).to.have.length(1)
    expect(await json('webhook', 'delete', id.slice(-8))).to.deep.equal({ id, deleted: true })
  })

  it('email: lists all mail by filters, marks and deletes it, and reads its files', async () => {
    const [one, two] = [await app.newAddress({ alias: 'mail-one' }), await app.newAddress({ alias: 'mail-two' })]
    await app.send({ to: one.address, subject: 'First invoice', text: 'code 482913', attachments: [{ filename: 'a.txt', content: 'a' }] })
    await app.send({ to: two.address, subject: 'Second', text: 'two' })
    await app.settled()
    const sent = await json('email', 'send', '--from', 'mail-one', '--to', two.address, '--subject', 'Third', '--text', 'three')
    await app.settled()
    expect(await succeed('email', 'list', '--type', 'received', '--limit', '2')).to.match(/^ID +TIME +TYPE +FROM +TO +SUBJECT +MARKS\n/)
    const subjects = async (...args: string[]) => (await json('email', 'list', ...args)).map(({ subject }: { subject: string }) => subject)
    expect(await subjects('--search', 'invoice')).to.deep.equal(['First invoice'])
    expect(await subjects('--type', 'sent')).to.deep.equal(['Third'])
    expect(await subjects('--address', 'mail-two')).to.have.members(['Second', 'Third'])
    const third = (await json('email', 'list', '--address', 'mail-two', '--search', 'three'))[0].id
    await writeFile(join(folder, 'ünterlage.txt'), 'page 1\n')
    const reply = await json('email', 'reply', third.slice(-6), '--text', 'thanks', '--cc', two.address, '--cc', 'x@example.org', '--attach', join(folder, 'ünterlage.txt'))
    await app.settled()
    expect(await subjects('--thread', reply.id.slice(-6))).to.have.members(['Third', 'Third', 'Re: Third', 'Re: Third', 'Re: Third'])
    expect((await app.api('GET', `/emails/${reply.id}`)).body.data).to.deep.include({ to: one.address, recipientsTotal: 3 })
      .and.to.have.nested.include({ 'attachments[0].filename': 'ünterlage.txt', 'attachments[0].contentType': 'text/plain' })
    expect(await fails('email', 'reply', third, '--text', 'x', '--attach', join(folder, 'none'))).to.match(/^mayfly: \S+none cannot be read: ENOENT/)
    expect(await fails('email', 'send', '--from', 'mail-one', '--to', 'a@b.example', '--subject', 's', '--text', 't', '--cc', 'nobody')).to.match(/^mayfly: --cc: must be exactly one email address/)
    const { id } = await app.onlyEmail(one.id).catch(async () => (await json('email', 'list', '--search', 'invoice'))[0])
    const end = id.slice(-6)
    expect(await json('email', 'update', end, '--read', '--star')).to.include({ id, isRead: true, isStarred: true })
    expect(await succeed('email', 'update', end, '--unstar')).to.equal(`${id} is read and not starred\n`)
    expect(await fails('email', 'update', end)).to.equal('mayfly: Nothing changes: give --read, --unread, --star or --unstar.\n')
    const onward = (await app.api('POST', '/forwarding-addresses', { body: { email: 'onward@example.com' } })).body.data
    await app.settled()
    await press(app, await capturedLink(app, 'onward@example.com'))
    expect(await succeed('email', 'bounce', end, '--status', '5.2.2', '--text', 'full')).to.match(/^captured for \S+, id [0-9a-f-]{36}\n$/)
    expect(await json('email', 'complain', end)).to.include({ outcome: 'captured' })
    expect(await succeed('email', 'forward', end, '--to', onward.email)).to.equal(`${id} is on its way to onward@example.com\n`)
    expect(await succeed('email', 'show', end)).to.match(/^From: /)
    expect(await succeed('email', 'checks', end, '--links')).to.match(/^CHECK +RESULT +DETAILS\nclients +none\n[^]*\ntext +pass\n/)
    expect((await json('email', 'checks', end)).text).to.deep.equal({ result: 'pass', hasText: true, hasHtml: false })
    expect(await succeed('email', 'raw', end)).to.include('Subject: First invoice')
    expect(await succeed('email', 'save-attachments', end, '--to', folder)).to.equal(`${join(folder, 'a.txt')}\n`)
    expect(await succeed('inbox', 'wait', 'mail-one', '--code')).to.equal('482913\n')
    expect(await succeed('email', 'delete', id.slice(-8))).to.equal(`deleted ${id}\n`)
    expect(await succeed('email', 'restore', id.slice(-4))).to.equal(`restored ${id}\n`)
    expect(await succeed('email', 'delete', id.slice(-8))).to.equal(`deleted ${id}\n`)
    expect(await subjects('--deleted')).to.deep.equal(['First invoice'])
    expect(await fails('email', 'change-all', 'restore')).to.equal('mayfly: Which mail? Give --address, --search or --all.\n')
    expect(await succeed('email', 'change-all', 'restore', '--search', 'subject:invoice')).to.equal('restored: 1\n')
    expect(await succeed('email', 'change-all', 'delete', '--address', 'mail-one', '--search', 'subject:invoice')).to.equal('deleted: 1\n')
    expect(await json('email', 'change-all', 'mark-read', '--all')).to.have.all.keys('changed')
    expect(await fails('email', 'list', '--search', 'tag:x')).to.match(/^mayfly: --search: has an unknown operator/)
    expect(await subjects('--after', sent.id)).to.not.include('First invoice')
  })

  it('ids: a part is searched among the newest, and several that fit are listed', async () => {
    const added = await Promise.all(['one', 'two'].map((name) => app.api('POST', '/webhooks', {
      body: { url: `https://hooks.example.com/${name}`, events: ['email.received'] },
    })))
    const [one, two] = added.map(({ body }) => body.data.id as string)
    const begin = one!.slice(0, 7)
    expect(await fails('webhook', 'show', begin)).to.match(/^mayfly: The ids of 2 webhooks begin or end with /)
      .and.include(`\n  ${one}  https://hooks.example.com/one\n`).and.include(`\n  ${two}  https://hooks.example.com/two\n`)
    expect((await json('webhook', 'show', two!.slice(-8).toUpperCase())).id).to.equal(two)
    expect(await fails('webhook', 'show', 'ffffffff')).to.equal('mayfly: None of the 100 newest webhooks has an id that begins or ends with '
      + 'ffffffff. "mayfly webhook list" shows them; an older one is found by its whole id.\n')
    expect(await fails('webhook', 'show', 'abc')).to.match(/'abc' is invalid for argument 'id'\. It must be an id from a list, or at least 4 characters of its beginning or its end\.\n/)
    expect(await fails('email', 'show', 'zzzz')).to.match(/'zzzz' is invalid for argument 'id'/)
  })

  it('address: shows one by its name, its address or its id, also by a part of the id', async () => {
    const { id, address } = await app.newAddress({ alias: 'shown' })
    const shown = await json('address', 'show', 'shown')
    expect(shown).to.include({ id, address, isActive: true, emailCount: 0 })
    for (const wanted of [address, id, id.slice(-8)]) expect(await json('address', 'show', wanted)).to.deep.equal(shown)
    expect(await succeed('address', 'show', id)).to.equal(
      `ADDRESS     ${address}\nSTATUS      active\nEXPIRES     ${shown.expiresAt}\nEMAILS      0\nID          ${id}\n`)
    expect(await succeed('address', 'create', '--alias', 'sends', '--smtp-login')).to.match(/^sends@mail\.localhost\nSMTP_URL=smtp:\/\/sends%40mail\.localhost:smtp_[0-9a-f]{40}@localhost:\d+\n$/)
    expect(await succeed('address', 'smtp-login', 'sends')).to.match(/^SMTP_URL=smtp:\/\/sends%40/)
    expect(await succeed('address', 'smtp-login', 'sends', '--end')).to.equal('the SMTP login of sends@mail.localhost has ended\n')
    expect(await json('address', 'create', '--allow-sender', '@github.com', 'a@shop.example', '--block-sender', 'b@github.com'))
      .to.deep.include({ allowedSenders: ['@github.com', 'a@shop.example'], blockedSenders: ['b@github.com'] })
    expect(await succeed('address', 'update', 'shown', '--allow-sender', '@Shop.example', '@*.shop.example', '--block-sender', 'news@shop.example'))
      .to.equal(`${address} takes mail of @shop.example, @*.shop.example alone, not of news@shop.example\n`)
    expect(await succeed('address', 'show', id)).to.match(/^ADDRESS [^]*\nshown@mail\.localhost takes mail of @shop\.example, @\*\.shop\.example alone, not of news@shop\.example\n$/)
    expect(await succeed('address', 'update', 'shown', '--allow-sender', '', '--block-sender', '')).to.equal(`${address} takes mail of all senders\n`)
    expect(await fails('address', 'update', 'shown')).to.equal('mayfly: Nothing changes: give --allow-sender or --block-sender.\n')
    expect(await fails('address', 'update', 'shown', '--block-sender', 'shop.example')).to.match(/^mayfly: --block-sender: must be an address \(a@shop\.example\)/)
    await app.send({ from: 'shop@shop.example', to: address, subject: 'tried', text: 'tried' })
    await app.settled()
    expect(await succeed('address', 'activity', 'shown')).to.match(/^TIME +STAGE +REPLY +FROM +TO +CLIENT +EMAIL\n\S+ +end +250 2\.6\.0 Accepted +shop@shop\.example +shown@mail\.localhost +127\.0\.0\.1 \S+ +[0-9a-f-]{36}\n$/)
    const steps = [{ at: 'rcpt', code: 451, text: 'Later', times: 2 }, { at: 'data', drop: true, delayMs: 10 }]
    expect(await succeed('address', 'smtp-faults', 'shown', '--set', JSON.stringify(steps))).to.equal(
      'AT    FAULT             TIMES\nrcpt  451 4.0.0 Later   2\ndata  delay 10 ms drop  1\n')
    expect((await json('address', 'smtp-faults', 'shown')).steps).to.have.length(2)
    expect(await succeed('address', 'smtp-faults', 'shown', '--clear')).to.equal('shown@mail.localhost has no SMTP faults any more\n')
    expect(await succeed('address', 'smtp-faults', 'shown')).to.equal('shown@mail.localhost has no SMTP faults\n')
    expect(await fails('address', 'smtp-faults', 'shown', '--set', '{}')).to.include('It must be a JSON array of steps')
    expect(await fails('address', 'show', 'none')).to.equal('mayfly: There is no address none of yours. "mayfly address list" shows them.\n')
  })

  it('ids: changes that cannot be undone take 8 characters of an id, and an address never by a part of its id', async () => {
    const { id: addressId } = await app.newAddress({ alias: 'kept' })
    await app.send({ to: 'kept@mail.localhost', subject: 'kept', text: 'kept' })
    await app.settled()
    const ids = {
      webhook: (await json('webhook', 'add', 'https://hooks.example.com/kept')).id as string,
      email: (await json('email', 'list', '--address', 'kept'))[0].id as string,
      domain: (await json('domain', 'add', 'kept.example.org'), (await json('domain', 'list'))[0].id as string),
      forwarding: (await json('forwarding', 'add', 'kept@example.com')).id as string,
    }
    const short = (id: string) => id.slice(-7)
    for (const [noun, verb] of [['webhook', 'delete'], ['webhook', 'rotate-secret'], ['email', 'delete']] as const) {
      expect(await fails(noun, verb, short(ids[noun])), noun).to.include(`'${short(ids[noun])}' is invalid for argument 'id'. It must be an id from a `
        + 'list, or at least 8 characters of its beginning or its end, because the change cannot be undone.')
    }
    for (const noun of ['domain', 'forwarding'] as const) {
      expect(await fails(noun, 'delete', short(ids[noun])), noun).to.equal(
        `mayfly: ${short(ids[noun])} is too short a part of an id for a change that cannot be undone. Give 8 characters of it, or all.\n`)
    }
    for (const part of [addressId.slice(-7), addressId.slice(-12), addressId.slice(0, 20)]) {
      expect(await fails('address', 'delete', part)).to.equal(`mayfly: There is no address ${part} of yours. "mayfly address list" shows them.\n`)
    }
    expect(await json('webhook', 'show', short(ids.webhook))).to.include({ id: ids.webhook })
    expect(await json('address', 'list')).to.satisfy((all: { id: string }[]) => all.some(({ id }) => id === addressId))
    for (const noun of ['webhook', 'email', 'domain', 'forwarding'] as const) {
      expect(await json(noun, 'delete', ids[noun].slice(-8)), noun).to.include({ id: ids[noun] })
    }
    expect(await json('address', 'delete', addressId)).to.include({ id: addressId })
  })

  it('api: sends any request, in either dialect', async () => {
    const created = JSON.parse(await succeed('api', 'POST', '/addresses', '--data', '{"alias":"by-hand","expiresIn":2}', '--dialect', 'classic'))
    expect([created.success, created.data.email]).to.deep.equal([true, 'by-hand@mail.localhost'])
    expect((await json('api', 'GET', `/addresses/${created.data.id}`)).data).to.include({ address: 'by-hand@mail.localhost' })
    expect((await json('api', 'GET', '/api/v1/addresses?limit=1')).data.addresses).to.have.length(1)
    expect(await fails('api', 'POST', '/addresses', '--dialect', 'classic', '--data', '{"alias":"by-hand"}')).to.match(/^mayfly: by-hand@mail\.localhost is taken/)
    const mail = { fromAddressId: created.data.id, to: 'ada@example.com', subject: 'A\u200fB\u0085C', body: 'x' }
    await succeed('api', 'POST', '/emails', '--data', JSON.stringify(mail))
    const shown = await succeed('api', 'GET', '/emails?limit=1')
    expect(shown).to.match(/^[ -~\n]*$/)
    expect(JSON.parse(shown).data[0].subject).to.equal(mail.subject)
    expect(await fails('api', 'GET', 'addresses')).to.include('It begins with a slash')
    expect(await fails('api', 'POST', '/addresses', '--data', 'x')).to.include('It must be a JSON object')
  })

  it('errors name the option and its unit', async () => {
    for (const [args, error] of [
      [['address', 'create', '--expires-in', '5s'], '--expires-in: at least 60s'],
      [['address', 'create', '--expires-in', '31d'], '--expires-in: at most 30d'],
      [['address', 'create', '--alias', 'a b', '--expires-in', '1'], '--alias: does not fit: The part before the @: letters, digits, `.`, `_` and `-`, '
        + 'starting and ending with a letter or digit, without two dots in a row\n--expires-in: at least 60s'],
      [['email', 'list', '--search', 'x'.repeat(1001)], '--search: at most 200 characters'],
      [['email', 'send', '--from', 'mail-one', '--to', 'nobody', '--subject', 'a', '--text', 'b'],
        '--to: must be exactly one email address, such as ada@example.com'],
      [['address', 'create', '--domain', 'inbox.example.com'], '--domain: inbox.example.com is not a verified domain of this account. Leave it out '
        + 'for an address at mail.localhost.'],
      [['forwarding', 'add', 'nobody'], '<email>: must match format "email"'],
      [['analytics', '--days', '999'], '--days: at most 366'],
      [['webhook', 'add', 'https://10.0.0.1/'], '<url>: must name a host that the public internet can reach. Give the public https address of your '
        + 'endpoint; on a server of your own, MAYFLY_ALLOW_PRIVATE_WEBHOOKS=true allows private addresses and http.'],
    ] as const) expect(await fails(...args), args.join(' ')).to.equal(`mayfly: ${error}\n`)
  })

  it('analytics shows the counters, and audit the calls', async () => {
    expect(await succeed('analytics')).to.match(/^COUNTER +VALUE\naddresses +\d+\n/)
    expect(await json('analytics')).to.have.property('totalEmailsReceived').that.is.above(1)
    expect(await json('analytics', '--days', '3')).to.have.length(3)
    expect(await succeed('audit', '--limit', '3')).to.match(/^TIME +ACTION +STATUS +CALLS +FROM +RESOURCE +KEY\n\S+Z +\S+\.\S+ +\d{3} +\d+ +127\.0\.0\.1/)
  })

  it('api-key makes, lists and revokes a key with bounds and an end', async () => {
    const made = ['api-key', 'create', '--name', 'ci', '--scope', 'emails:read', 'emails:write', '--address-prefix', 'ci-', '--expires-in', '7d'] as const
    const created = await json(...made)
    expect(created.bounds).to.deep.include({ aliasPrefix: 'ci-' })
    expect(await succeed('api-key', 'list')).to.match(/ ci-\* /)
    expect(await succeed('api-key', 'revoke', created.id)).to.equal(`revoked ${created.id}\n`)
    expect((await json('api-key', 'list')).map(({ id }: { id: string }) => id)).to.not.include(created.id)
  })

  it('no operation is left without a command', async () => {
    const watching = start(['inbox', 'watch', 'mail-one'], variables())
    await watching.says('stderr', /^Watching .*\n/)
    await watching.stop('SIGINT')
    await succeed('address', 'list')
    const { id } = await json('address', 'create')
    await succeed('address', 'smtp-faults', id)
    await succeed('address', 'smtp-faults', id, '--clear')
    await succeed('address', 'delete', id)
    const called = new Set((await json('audit', '--limit', '2000')).map(({ action }: { action: string }) => action))
    const missing = operationsOf(documentFor('api')).map(({ operationId }) => operationId).filter((id) => !called.has(id))
    expect(missing).to.deep.equal(Object.keys(withoutCommand))
  })
})
