import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { isSigned, openEndpoint } from '../support/endpoint.ts'
import { mayfly, start } from './run.ts'

describe('CLI: webhook', function () {
  let app: TestApp
  before(async () => { app = await openTestApp({ isRealTime: true, env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } }) })
  after(() => app[Symbol.asyncDispose]())

  const variables = () => ({ HOME: '/nonexistent', MAYFLY_API_KEY: app.key, MAYFLY_BASE_URL: app.url })
  const run = (...args: string[]) => mayfly(['webhook', ...args], variables())

  it('adds, lists, tests and deletes webhooks', async () => {
    await using endpoint = await openEndpoint()
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const [plain, whole] = await Promise.all([
      run('add', endpoint.url, '--events', 'email.received', 'email.deleted'), run('add', `${endpoint.url}?2`, '--secret', secret, '--json'),
    ])
    expect(plain.stdout).to.match(/^whsec_\S{32,}\n$/)
    expect(plain.stderr).to.match(/^This secret signs the deliveries to http:\/\/127\.0\.0\.1:\d+\/hook, and is not shown again\. Id [0-9a-f-]{36}\.\n$/)
    const { id, events } = JSON.parse(whole.stdout)
    expect(events).to.have.length(5)
    expect(JSON.parse(whole.stdout).secret).to.equal(secret)

    const tested = await run('test', id)
    expect(tested.stdout).to.match(new RegExp(`^email\\.received is on its way, delivery \\S{36}: "mayfly webhook deliveries ${id}" shows its result\\n$`))
    await app.settled()
    expect(endpoint.deliveries.map((delivery) => isSigned(delivery, secret))).to.deep.equal([true])
    const [deliveries, list, removed] = await Promise.all([run('deliveries', id), run('list'), run('delete', 'nonsense')])
    expect(deliveries.stdout).to.match(/^ID +EVENT +ATTEMPT +STATUS +ANSWER +MS +DUE +ERROR\n\S{36} +email\.received +1 +succeeded +200 +\d+ +\S+Z\n$/)
    expect(list.stdout.split('\n')).to.have.length(4)
    expect(list.stdout).to.match(/ email\.received email\.deleted +both +active +\S+Z$/m).and.to.not.include('whsec_')
    expect([removed.code, removed.stdout]).to.deep.equal([1, ''])
    expect(await run('delete', id)).to.deep.equal({ code: 0, stdout: `deleted ${id}\n`, stderr: '' })
    expect((await run('list')).stdout.split('\n')).to.have.length(3)
  })

  it('adds webhooks of the classic dialect', async () => {
    const added = JSON.parse((await run('add', 'http://127.0.0.1:9/classic', '--form', 'a', '--dialect', 'classic', '--json')).stdout)
    expect(added).to.include({ form: 'a', dialect: 'classic' })
    expect(added.secret).to.match(/^whsec_/)
    expect((await run('show', added.id)).stdout).to.include('Dialect  classic')
    expect((await run('delete', added.id)).stdout).to.equal(`deleted ${added.id}\n`)
  })

  it('listens: posts events to a URL of this machine, with the server\'s signature, and prints each result', async () => {
    await using endpoint = await openEndpoint(() => endpoint.deliveries.length === 2 ? 500 : undefined)
    const closed = await openEndpoint()
    await closed[Symbol.asyncDispose]()
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const forwardTo = ['--forward-to', endpoint.url.replace('http://', '')]
    await using text = start(['webhook', 'listen', ...forwardTo, '--events', 'email.received', 'address.deleted'], variables())
    await using lines = start(['webhook', 'listen', '--forward-to', closed.url, '--secret', secret, '--json'], variables())
    const signed = /signed with (whsec_\S+)\n/
    const [[, made], [, given]] = await Promise.all([text.says('stderr', signed), lines.says('stderr', signed)])
    expect(given).to.equal(secret)
    const { id, address } = await app.newAddress({ alias: 'listened' })
    await app.send({ to: address, subject: 'Hello', text: 'Hello.' })
    await text.says('stdout', /→ 200/)
    await app.api('DELETE', `/addresses/${id}`)
    await Promise.all([text.says('stdout', /→ 500/), lines.says('stdout', /address\.deleted.*\n/)])
    const [shown, documents] = await Promise.all([text.stop('SIGINT'), lines.stop('SIGINT')])
    expect([shown.code, documents.code]).to.deep.equal([130, 130])
    expect(shown.stdout).to.match(/^\S+Z {2}email\.received {2}\S{36} {2}→ 200 in \d+ ms\n\S+Z {2}address\.deleted {2}\S{36} {2}→ 500 in \d+ ms\n$/)
    const [received, deleted] = endpoint.deliveries
    for (const delivery of [received!, deleted!]) {
      expect(isSigned(delivery, made!)).to.equal(true)
      expect(new Webhook(made!).verify(delivery.body, delivery.headers as Record<string, string>)).to.deep.equal(delivery.event)
      expect(Object.keys(delivery.event)).to.deep.equal(['id', 'type', 'event', 'createdAt', 'timestamp', 'data'])
      expect(delivery.headers).to.include({ 'content-type': 'application/json', 'x-service-event': delivery.event.type, 'webhook-id': delivery.event.id })
    }
    expect(received!.event.data).to.include({ addressId: id, subject: 'Hello', from: 'shop@example.org' })
    expect(shown.stdout).to.include(`  ${received!.event.id}  `)
    const told = documents.stdout.trim().split('\n').map((line) => JSON.parse(line))
    expect(told.map(({ event, status, error }) => [event, status, error])).to.deep.equal([
      ['address.created', null, 'ECONNREFUSED'], ['email.received', null, 'ECONNREFUSED'], ['address.deleted', null, 'ECONNREFUSED'],
    ])
  })

  it('reports that no server answers, and retries until Ctrl-C', async () => {
    const closed = await openEndpoint()
    await closed[Symbol.asyncDispose]()
    await using listening = start(['webhook', 'listen', '--forward-to', 'localhost:1'], { ...variables(), MAYFLY_BASE_URL: closed.url })
    await listening.says('stderr', new RegExp(`^There is no answer from ${closed.url}: the connection was refused\\..* Retrying until Ctrl-C\\.\n`))
    expect(await listening.stop('SIGINT')).to.include({ code: 130, stdout: '' })
  })

  it('refuses invalid options before it listens', async () => {
    const outcomes = await Promise.all([
      run('listen'), run('listen', '--forward-to', 'ftp://x'), run('listen', '--forward-to', 'localhost:1', '--secret', 'short'),
      run('listen', '--forward-to', 'http://me:password@localhost:1'), run('listen', '--forward-to', 'localhost:1', '--events', 'email.read'), run('add', 'nonsense'),
    ])
    for (const { code, stdout } of outcomes) expect([code, stdout]).to.deep.equal([1, ''])
    const [missing, scheme, secret, password, event, url] = outcomes.map(({ stderr }) => stderr)
    expect(missing).to.match(/required option '--forward-to <url>' not specified/)
    expect(scheme).to.match(/'ftp:\/\/x' is invalid\. It takes a URL such as http:\/\/localhost:8080/)
    expect(secret).to.match(/^mayfly: .*a secret has 8 to 200 characters/).and.to.not.include('short')
    expect(password).to.match(/'http:\/\/me:password@localhost:1' is invalid\. It takes a URL such as .*, without a password\./)
    expect(event).to.match(/'email\.read' is invalid\. Allowed choices are email\.received, /)
    expect(url).to.match(/^mayfly: <url>: does not fit: Where events are posted/)
  })
})
