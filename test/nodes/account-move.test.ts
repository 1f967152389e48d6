import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { moveTo, moveUntil } from '../support/account-move.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { newFolder } from '../support/new-database.ts'
import { openNodes } from '../support/nodes.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { createAccount } from '../support/store/accounts.ts'
import { lockRows } from '../support/store/lock-rows.ts'
import { rowsOf } from '../support/store/rows.ts'
import { readStoredSources } from '../support/store/stored-sources.ts'

interface Mover {
  id: string
  key: string
  address: { id: string, address: string }
}

async function newMover(app: TestApp, email = 'mover@example.org'): Promise<Mover> {
  const { id } = await createAccount(app, email)
  const key = await app.newKey({ account: id })
  return { id, key, address: (await app.api('POST', '/addresses', { key, body: {} })).body.data }
}

const subjectsOf = async (app: TestApp, { key }: Mover): Promise<string[]> => {
  const subjects: string[] = []
  for (let offset = 0; ; offset += 100) {
    const { data } = (await app.api('GET', `/emails?limit=100&offset=${offset}`, { key })).body
    subjects.push(...data.map(({ subject }: { subject: string }) => subject))
    if (data.length < 100) return subjects
  }
}

const replyTo = (sent: Promise<void>) => sent.then(() => 250, (error: { responseCode?: number }) => error.responseCode ?? 0)

describe('Account move: under load', function () {

  it('loses no accepted mail and no change, and doubles none', async () => {
    await using sources = await openNodes(2)
    await using targets = await openNodes(1)
    const [one, two] = sources.nodes as [TestApp, TestApp]
    const [target] = targets.nodes as [TestApp]
    const mover = await newMover(one)
    const { key, address: { address } } = mover
    let isMoved = false
    const accepted: string[] = []
    const created: string[] = []

    const send = async (name: string, text: string) => {
      for (let i = 0, after = 0; after < 5; i++) {
        if (isMoved) after++
        for (;;) {
          const reply = await replyTo((isMoved ? target : i % 2 ? one : two).send({ to: address, subject: `${name} ${i}`, text }))
          if (reply === 250) break
          if (!isMoved) expect(reply).to.be.oneOf([451, 550])
        }
        accepted.push(`${name} ${i}`)
      }
    }
    const create = async () => {
      for (let i = 0, after = 0; after < 5; i++) {
        if (isMoved) after++
        for (;;) {
          const { status, body } = await (isMoved ? target : i % 2 ? one : two)
            .api('POST', '/addresses', { key, body: {}, headers: { 'idempotency-key': `create-address-${i}` } })
          if (status === 201) {
            created.push(body.data.address)
            break
          }
          expect(status).to.be.oneOf([503, 401])
        }
      }
    }
    const load = Promise.all([send('short', 'Your code is 482913.'), send('other', 'text'), send('long', 'x'.repeat(70).concat('\n').repeat(20_000)), create()])
    while (accepted.length < 40) await Promise.race([load, new Promise(setImmediate)])
    const [{ heldMs }] = await Promise.all([moveTo(one, target, mover.id).finally(() => { isMoved = true }), load])
    expect(heldMs).to.be.greaterThan(0)
    await one.settled()
    await two.settled()
    await target.settled()
    expect((await subjectsOf(target, mover)).sort()).to.deep.equal(accepted.sort())
    const addresses = (await rowsOf(target, 'addresses')).filter(({ accountId }) => accountId === mover.id).map((row) => row.address)
    expect(addresses.sort()).to.deep.equal([address, ...created].sort())
    const { unreadCount } = (await target.api('GET', `/addresses/${mover.address.id}`, { key })).body.data
    expect(unreadCount).to.equal(accepted.length)
  })
})

describe('Account move: mail of several accounts', function () {

  it('is shown to each, also when it was not parsed yet, and stays when one removes it', async () => {
    await using sources = await openNodes(1)
    await using targets = await openNodes(1)
    const [source] = sources.nodes as [TestApp]
    const [target] = targets.nodes as [TestApp]
    const [first, second] = [await newMover(source), await newMover(source, 'second@example.org')]
    const to = [first.address.address, second.address.address]
    const attachments = [{ filename: 'a.txt', content: 'attached' }]
    await source.send({ to, subject: 'short', attachments })
    const held = await lockRows(sources.database, 'addresses', first.address.id)
    await source.send({ to, subject: 'long', text: 'x'.repeat(70).concat('\n').repeat(20_000), attachments })
    await moveUntil(source, target, first.id, 'held') // the job runs, and waits for the lock
    await held.release()
    await moveTo(source, target, first.id)
    for (const app of [source, target]) await app.settled()
    const shown = async (app: TestApp, mover: Mover) => {
      app.app.worker.wakeAll()
      await app.settled()
      return (await subjectsOf(app, mover)).sort()
    }
    expect(await shown(target, first)).to.deep.equal(['long', 'short'])
    expect(await shown(source, second)).to.deep.equal(['long', 'short'])

    await moveTo(source, target, second.id)
    expect(await shown(target, second)).to.deep.equal(['long', 'short'])
    await target.api('DELETE', `/addresses/${first.address.id}`, { key: first.key })
    await target.settled()
    for (const { id, subject } of (await target.api('GET', '/emails', { key: second.key })).body.data) {
      const email = (await target.api('GET', `/emails/${id}`, { key: second.key })).body.data
      const file = await target.api('GET', `/emails/${id}/attachments/${email.attachments[0].id}`, { key: second.key })
      expect(String(file.body), subject).to.equal('attached')
    }
  })
})

describe('Account move: sources in a store', function () {

  it('are copied into the target, which moves them to objects of its own', async () => {
    const folder = await newFolder()
    const clock = testClock()
    const options = async () => ({ clock, database: await newPostgresDatabase(), env: { MAYFLY_SOURCES: pathToFileURL(folder).href } })
    const [inSource, inTarget] = [await options(), await options()]
    await using source = await openTestApp(inSource)
    await using target = await openTestApp(inTarget)
    const mover = await newMover(source)
    await source.send({ to: mover.address.address, subject: 'stored', attachments: [{ filename: 'a.bin', content: Buffer.alloc(700_000, 'a') }] })
    await source.settled()
    await source.advance({ seconds: 3 })
    expect(await readStoredSources(inSource.database)).to.deep.include({ chunks: 0, places: 1 })
    const [{ id }] = (await source.api('GET', '/emails', { key: mover.key })).body.data
    const raw = async (app: TestApp) => String((await app.api('GET', `/emails/${id}/raw`, { key: mover.key })).body)
    const before = await raw(source)

    await moveTo(source, target, mover.id)
    expect(await raw(target)).to.equal(before)
    await target.advance({ seconds: 3 })
    expect(await readStoredSources(inTarget.database)).to.deep.include({ chunks: 0, places: 1, segments: ['written 1'] })
    await source.advance({ seconds: 11 })
    source.app.worker.wake('purge-account')
    await source.settled()
    expect(await readStoredSources(inSource.database)).to.deep.include({ places: 0 })
    expect(await raw(target)).to.equal(before)
    await rm(folder, { recursive: true })
  })
})
