import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTransport } from 'nodemailer'
import { pino } from 'pino'
import { pathToFileURL } from 'node:url'
import { mayfly } from '../cli/run.ts'
import { openServer, openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { openForwardingWorld } from '../support/forwarding.ts'
import { newFolder } from '../support/new-database.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { rawRequest } from '../support/raw-request.ts'
import { openS3Server } from '../support/s3-server.ts'
import type { S3Server } from '../support/s3-server.ts'
import { sendRaw } from '../support/send-raw.ts'
import { deleteAccount, emailOf } from '../support/store/accounts.ts'
import { findDiscarded, leaveSegment, readStoredSources, storeChunksAgain } from '../support/store/stored-sources.ts'

/** The interval in which mail is gathered for an object. */
const gatherSeconds = 2

/** A store of sources, as the tests see it. */
interface TestStore extends AsyncDisposable {
  variables: Record<string, string>
  /** The contents of its objects. */
  objects(): Promise<Buffer[]>
  setUnavailable(isUnavailable: boolean): Promise<void>
  add(name: string): Promise<void>
}

async function openFolder(): Promise<TestStore> {
  const folder = await newFolder()
  return {
    variables: { MAYFLY_SOURCES: pathToFileURL(folder).href },
    async objects() {
      const found = await readdir(folder, { recursive: true, withFileTypes: true })
      return Promise.all(found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => readFile(`${parentPath}/${name}`)))
    },
    setUnavailable: (isUnavailable) => isUnavailable ? rename(folder, `${folder}-unavailable`) : rename(`${folder}-unavailable`, folder),
    async add(name) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), 'left')
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

async function openBucket(): Promise<TestStore & { server: S3Server }> {
  const server = await openS3Server()
  return {
    server,
    variables: server.variables,
    objects: async () => [...server.objects.values()],
    async setUnavailable(isUnavailable) {
      server.isUnavailable = isUnavailable
    },
    async add(name) {
      server.objects.set(`mayfly/test/${name}`, Buffer.from('left'))
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function openWithStore(store: Pick<TestStore, 'variables'>, env: Record<string, string> = {}) {
  const database = await newPostgresDatabase()
  return { database, node: await openTestApp({ database, env: { ...store.variables, ...env } }) }
}

/** Each block has a tag. */
const encryptedBytes = (bytes: number) => bytes + Math.ceil(bytes / 65_536) * 16

const moved = (node: TestApp) => node.advance({ seconds: gatherSeconds })

/** A mail with an HTML body that is not stored decoded, and an attachment. @param bytes of the attachment */
function mailOf(marker: string, bytes: number) {
  const attachment = randomBytes(bytes)
  const html = `<p>${marker}</p>${Array.from({ length: 2_000 }, (_, i) => `<p>line ${i}</p>`).join('')}`
  const lines = attachment.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const source = ['From: shop@example.org', `Subject: ${marker}`, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '', '--b',
    'Content-Type: text/html; charset=utf-8', '', html, '--b', 'Content-Type: application/octet-stream; name=a.bin',
    'Content-Transfer-Encoding: base64', '', lines, '--b--', ''].join('\r\n')
  return { source, html, attachment }
}

/** The mail of an address, as the API returns it. */
async function readAll(node: TestApp, addressId: string) {
  const { id, bodyHtml, attachments: [file] } = await node.onlyEmail(addressId)
  const raw = (await node.api('GET', `/emails/${id}/raw`)).body as Buffer
  const attachment = (await node.api('GET', `/emails/${id}/attachments/${file!.id}`)).body as Buffer
  return { id, raw: raw.toString('latin1'), bodyHtml, attachment: attachment.toString('hex') }
}

describe('Sources in a store', function () {

  for (const [name, open] of Object.entries({ 'a folder': openFolder, 'a bucket': openBucket })) {
    describe(`${name}:`, () => {

      it('has the sources of mail, encrypted, and the API returns them byte for byte', async () => {
        await using store = await open()
        const { database, node: opened } = await openWithStore(store)
        await using node = opened
        const mails = []
        for (const bytes of [100, 60_000, 700_000]) { // in memory, in a row of chunks, and stored before it is parsed
          const address = await node.newAddress()
          const mail = mailOf(`marker ${bytes}`, bytes)
          await sendRaw(node.smtp.port, address.address, mail.source)
          mails.push({ ...mail, addressId: address.id })
        }
        await node.settled()
        expect((await readStoredSources(database)).inRows).to.equal(0)
        for (const { source, addressId } of mails) expect((await readAll(node, addressId)).raw).to.equal(source)
        await moved(node)
        expect(await readStoredSources(database)).to.deep.include({ chunks: 0, inRows: 0, places: 3, segments: ['written 3'] })
        const [object, ...more] = await store.objects()
        expect(more).to.have.length(0)
        expect(object!.length).to.equal(mails.reduce((sum, { source }) => sum + encryptedBytes(source.length), 0))
        expect(object!.includes('marker')).to.equal(false)
        for (const { source, html, attachment, addressId } of mails) {
          const read = await readAll(node, addressId)
          expect(read.raw).to.equal(source)
          expect(read.bodyHtml).to.contain(html)
          expect(read.attachment).to.equal(attachment.toString('hex'))
          const { status } = await node.api('GET', `/emails/${read.id}/checks`)
          expect(status).to.equal(200)
        }
      })

      it('loses mail and its key with the address, and objects without mails', async () => {
        await using store = await open()
        const { database, node: opened } = await openWithStore(store)
        await using node = opened
        const [kept, removed] = [await node.newAddress(), await node.newAddress()]
        for (const { address } of [kept, removed]) await node.send({ to: address, text: 'one' })
        await moved(node)
        await node.send({ to: removed.address, text: 'two' })
        await moved(node)
        expect((await readStoredSources(database)).segments).to.deep.equal(['written 2', 'written 1'])
        await node.api('DELETE', `/addresses/${removed.id}`)
        await node.settled()
        expect(await readStoredSources(database)).to.deep.include({ places: 1, segments: ['written 1'] })
        expect(await store.objects()).to.have.length(1)
        expect((await readAllText(node, kept.id))).to.contain('one')
      })

      it('takes mail while it is unavailable, answers 503 for older mail, and gets all of it later', async () => {
        await using store = await open()
        const { database, node: opened } = await openWithStore(store)
        await using node = opened
        const [older, newer] = [await node.newAddress(), await node.newAddress()]
        await node.send({ to: older.address, text: 'older' })
        await moved(node)
        await store.setUnavailable(true)
        await node.send({ to: newer.address, text: 'newer' })
        await moved(node)
        const id = await newestIdOf(node, older.id)
        for (const path of [`/emails/${id}/raw`, `/emails/${id}/checks`]) {
          const { status, headers, body } = await node.api('GET', path)
          expect([status, headers.get('retry-after'), headers.get('content-disposition'), body.code]).to.deep.equal([503, '5', null, 'INTERNAL_ERROR'])
        }
        const metrics = (await rawRequest(node.url, { path: '/metrics' })).text
        expect(/^mayfly_source_store_failures_total\{operation="read".*\} (\d+)$/m.exec(metrics)![1]).to.equal('2') // of the main thread, and of another
        expect(await readAllText(node, newer.id)).to.contain('newer')
        expect(await readStoredSources(database)).to.deep.include({ chunks: 1, places: 1 })
        await store.setUnavailable(false)
        await node.advance({ seconds: 30 })
        expect(await readStoredSources(database)).to.deep.include({ chunks: 0, places: 2 })
        for (const { id, text } of [{ ...older, text: 'older' }, { ...newer, text: 'newer' }]) expect(await readAllText(node, id)).to.contain(text)
      })

      it('loses an object whose node died while it wrote it, an hour later', async () => {
        await using store = await open()
        const database = await newPostgresDatabase()
        const now = testClock().now()
        for (const [name, minutes] of [['2026-03-14/old', 61], ['2026-03-14/new', 59]] as const) {
          await leaveSegment(database, name, now - minutes * 60_000)
          await store.add(name)
        }
        await using node = await openTestApp({ database, env: store.variables })
        await node.settled()
        expect((await readStoredSources(database)).segments).to.deep.equal(['writing 0'])
        expect(await store.objects()).to.have.length(1)
      })
    })
  }

  it('never returns a source of a damaged, exchanged or shortened object as whole', async () => {
    await using store = await openBucket()
    const { node: opened } = await openWithStore(store)
    await using node = opened
    const mails = []
    for (const bytes of [100, 120_000]) {
      const address = await node.newAddress()
      const { source } = mailOf(`marker ${bytes}`, bytes)
      await sendRaw(node.smtp.port, address.address, source)
      await moved(node)
      mails.push({ source, addressId: address.id, name: [...store.server.objects.keys()].at(-1)! })
    }
    const { objects } = store.server
    for (const { source, addressId, name } of mails) {
      const whole = objects.get(name)!
      const flipped = (at: number) => {
        const changed = Buffer.from(whole)
        changed[at]! ^= 1
        return changed
      }
      const blocks = Math.ceil(source.length / 65_536)
      const exchanged = Buffer.concat([whole.subarray(65_552, 131_104), whole.subarray(0, 65_552), whole.subarray(131_104)])
      const other = objects.get(mails.find((mail) => mail.name !== name)!.name)!
      const wrong = [flipped(0), flipped(whole.length - 1), flipped(Math.min(whole.length, 65_536) - 1), whole.subarray(0, -1),
        Buffer.concat([other, whole]).subarray(0, whole.length), ...blocks > 2 ? [exchanged] : []]
      for (const content of wrong) {
        objects.set(name, content)
        expect(await readWhole(node, addressId)).to.be.oneOf([500, 'cut off'])
      }
      objects.set(name, whole)
      expect(await readWhole(node, addressId)).to.equal(source)
    }
  })

  it('returns a range of a mail whose other blocks are damaged', async () => {
    await using store = await openBucket()
    const { node: opened } = await openWithStore(store)
    await using node = opened
    const address = await node.newAddress()
    const { source, html } = mailOf('ranges', 300_000)
    await sendRaw(node.smtp.port, address.address, source)
    await moved(node)
    const [object] = store.server.objects.values()
    object![object!.length - 1]! ^= 1
    expect((await node.onlyEmail(address.id)).bodyHtml).to.contain(html)
    expect(await readWhole(node, address.id)).to.equal('cut off')
  })

  it('removes objects although 60 that were to be removed before may not be', async () => {
    await using store = await openBucket()
    const database = await newPostgresDatabase()
    const now = testClock().now()
    const names = Array.from({ length: 65 }, (_, i) => `2026-03-14/${i}`)
    for (const [i, name] of names.entries()) {
      await leaveSegment(database, name, now - 3 * 3_600_000 + i)
      await store.add(name)
    }
    store.server.isLocked = (name) => Number(name.split('/').at(-1)) < 60
    await using node = await openTestApp({ database, env: store.variables })
    for (let i = 0; i < 3; i++) await node.advance({ seconds: 30 })
    expect([...store.server.objects.keys()]).to.deep.equal(names.slice(0, 60).map((name) => `mayfly/test/${name}`))
    store.server.isLocked = () => false
    for (let i = 0; i < 3; i++) await node.advance({ seconds: 30 })
    expect(store.server.objects.size).to.equal(0)
    expect((await readStoredSources(database)).segments).to.deep.equal([])
  })

  it('forwards mail after a delay while it is unavailable', async () => {
    await using store = await openBucket()
    await using world = await openForwardingWorld({ database: await newPostgresDatabase(), env: store.variables })
    const { app: node, receiver } = world
    const { id: forwardToId } = await world.newVerified()
    const { id, address } = await node.newAddress()
    await node.send({ to: address, subject: 'to be forwarded', text: 'content '.repeat(10) })
    await moved(node)
    const emailId = await newestIdOf(node, id)
    await store.setUnavailable(true)
    expect((await node.api('POST', `/emails/${emailId}/forward`, { body: { forwardToId } })).status).to.equal(202)
    await node.settled()
    expect(receiver.mails).to.have.length(0)
    await store.setUnavailable(false)
    await node.advance({ seconds: 20 })
    expect(receiver.mails.map(({ sourceText }) => sourceText.includes('content content'))).to.deep.equal([true])
  })

  it('has many mails in one object', async () => {
    await using store = await openBucket()
    const { database, node: opened } = await openWithStore(store)
    await using node = opened
    const { id, address } = await node.newAddress()
    const transport = createTransport({ host: '127.0.0.1', port: node.smtp.port, pool: true, maxConnections: 4, tls: { rejectUnauthorized: false } })
    await Promise.all(Array.from({ length: 250 }, (_, i) => transport.sendMail({ from: 'a@example.org', to: address, subject: `mail ${i}`, text: `number ${i};` })))
    transport.close()
    await moved(node)
    const { places, chunks, segments } = await readStoredSources(database)
    expect([places, chunks]).to.deep.equal([250, 0])
    expect(segments.reduce((sum, segment) => sum + Number(segment.replace('written ', '')), 0)).to.equal(250)
    for (const { id: emailId, subject } of await node.listEmails({ address_id: id, limit: '20' })) {
      const raw = String((await node.api('GET', `/emails/${emailId}/raw`)).body)
      expect(raw).to.contain(`number ${subject.slice('mail '.length)};`)
    }
  })

  it('keeps the place of a mail that is accepted twice, since its thread has ended before it answered', async () => {
    await using store = await openBucket()
    const { database, node: opened } = await openWithStore(store)
    await using node = opened
    const { id, address } = await node.newAddress()
    await sendRaw(node.smtp.port, address, 'Subject: x\r\n\r\nthe same\r\n')
    await moved(node)
    expect(await findDiscarded(node)).to.deep.equal([])
    const source = await readAllText(node, id)
    await storeChunksAgain(database, source)
    expect(await readAllText(node, id)).to.equal(source)
    await moved(node)
    expect(await readStoredSources(database)).to.deep.equal({ chunks: 0, inRows: 0, places: 1, segments: ['written 1'] })
    expect(await readAllText(node, id)).to.equal(source)
    expect(store.server.objects.size).to.equal(1)
  })

  it('answers MAIL with 451 while too many wait, which are in the metrics', async () => {
    await using store = await openBucket()
    const { node: opened } = await openWithStore(store, { MAYFLY_SOURCES_MAX_WAITING_BYTES: '100' })
    await using node = opened
    const { address } = await node.newAddress()
    await store.setUnavailable(true)
    await node.send({ to: address, text: 'waits '.repeat(50) })
    await node.advance({ seconds: 10 })
    expect(await untilReply(node, '451')).to.match(/^451 4\.3\.1 /)
    expect((await rawRequest(node.url, { path: '/readyz' })).status).to.equal(503)
    const metrics = (await rawRequest(node.url, { path: '/metrics' })).text
    expect(metrics).to.match(/^mayfly_sources_waiting 1$/m)
    expect(Number(/^mayfly_sources_waiting_bytes (\d+)$/m.exec(metrics)![1])).to.be.greaterThan(300)
    expect(Number(/^mayfly_source_store_failures_total\{operation="put".*\} (\d+)$/m.exec(metrics)![1])).to.be.greaterThan(0)
    await store.setUnavailable(false)
    await node.advance({ seconds: 35 })
    await untilReply(node, '550')
  })

  it('takes mail again when waiting mail is removed while it is unavailable', async () => {
    await using store = await openBucket()
    const { node: opened } = await openWithStore(store, { MAYFLY_SOURCES_MAX_WAITING_BYTES: '100' })
    await using node = opened
    const { id, address } = await node.newAddress()
    await store.setUnavailable(true)
    await node.send({ to: address, text: 'waits '.repeat(50) })
    await node.advance({ seconds: 10 })
    await untilReply(node, '451')
    await node.api('DELETE', `/addresses/${id}`)
    await node.settled()
    await node.advance({ seconds: 30 })
    await untilReply(node, '550')
  })

  it('logs once for each kind of call that it is unavailable, and once that it is available again', async () => {
    await using store = await openBucket()
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write(line) { lines.push((JSON.parse(line) as { msg: string }).msg) } })
    await using node = await openTestApp({ database: await newPostgresDatabase(), env: store.variables, log })
    const { id, address } = await node.newAddress()
    await node.send({ to: address, text: 'x' })
    await moved(node)
    await store.setUnavailable(true)
    await node.send({ to: address, text: 'y' })
    await node.advance({ seconds: 60 })
    const emails = await node.listEmails({ address_id: id })
    for (const { id: emailId } of [...emails, ...emails]) await node.api('GET', `/emails/${emailId}/raw`)
    await store.setUnavailable(false)
    await node.advance({ seconds: 30 })
    expect(lines.filter((line) => line.includes('MAYFLY_SOURCES'))).to.deep.equal([
      'the store of MAYFLY_SOURCES takes no objects: mail waits in the database',
      'the store of MAYFLY_SOURCES cannot be read: older mail is answered 503',
      'the store of MAYFLY_SOURCES is available again',
    ])
    expect(lines).to.not.include('request failed').and.not.include('job failed')
  })

  it('loses mail with its account', async () => {
    await using store = await openBucket()
    const { database, node: opened } = await openWithStore(store)
    await using node = opened
    const { address } = await node.newAddress()
    await node.send({ to: address, text: 'x' })
    await moved(node)
    await deleteAccount(node, await emailOf(node, node.key))
    await node.settled()
    expect(await readStoredSources(database)).to.deep.equal({ chunks: 0, inRows: 0, places: 0, segments: [] })
    expect(store.server.objects.size).to.equal(0)
  })

  it('needs the setting at each start once they have left the database, and not for commands that read none', async () => {
    await using store = await openBucket()
    const { database, node } = await openWithStore(store)
    const { address } = await node.newAddress()
    await node.send({ to: address, text: 'x' })
    await moved(node)
    await node[Symbol.asyncDispose]()
    expect((await readStoredSources(database)).places).to.equal(1)
    const { stdout } = await mayfly(['account', 'list'], { MAYFLY_DATABASE: database })
    expect(stdout).to.include('business')
    await openServer({ database }).then(async (server) => {
      await server.close()
      throw new Error('it has started')
    }, (error: Error) => { expect(error.message).to.match(/^MAYFLY_SOURCES: is needed/) })
  })
})

async function readAllText(node: TestApp, addressId: string): Promise<string> {
  return String((await node.api('GET', `/emails/${await newestIdOf(node, addressId)}/raw`)).body)
}

/** @returns the source of the mail, the status of its refusal, or that its connection was closed before its end */
async function readWhole(node: TestApp, addressId: string): Promise<string | number> {
  const id = await newestIdOf(node, addressId)
  return node.api('GET', `/emails/${id}/raw`).then(({ status, body }) => status === 200 ? String(body) : status, () => 'cut off')
}

const newestIdOf = async (node: TestApp, addressId: string) => (await node.listEmails({ address_id: addressId }))[0]!.id

/** Sends mail to an unknown address until MAIL or RCPT has a reply of this code: what waits is cached for a second. */
async function untilReply({ smtp }: TestApp, code: string): Promise<string> {
  for (;;) {
    const reply = await sendRaw(smtp.port, 'x@example.org', '').then(() => '', (error: Error) => error.message)
    if (reply.startsWith(code)) return reply
  }
}
