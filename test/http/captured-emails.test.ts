import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { shareAdminWorld } from '../support/administration.ts'
import type { AdminWorld } from '../support/administration.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { sendRaw } from '../support/send-raw.ts'
import { sameOrigin, signIn } from '../support/sessions.ts'
import { createAccount, deleteAccount } from '../support/store/accounts.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { markMailboxesRemoved } from '../support/store/mails.ts'
import { rowsOf } from '../support/store/rows.ts'

interface Sender {
  id: string
  email: string
  live: string
  test: string
}

/** A new account with a key of each mode. */
async function newSender(app: TestApp): Promise<Sender> {
  const { id, email } = await createAccount(app, `sender-${app.app.db.newId()}@example.org`)
  return { id, email, live: await app.newKey({ account: id }), test: await app.newKey({ account: id, isTest: true }) }
}

/** Sends a mail from a new address. @returns the address */
async function send(app: TestApp, key: string, mail: object = {}): Promise<{ id: string, address: string }> {
  const { data } = (await app.api('POST', '/addresses', { key, body: {} })).body
  const body = { fromAddressId: data.id, to: 'ada@example.com', subject: 'Hello', body: 'Hello Ada', ...mail }
  expect((await app.api('POST', '/emails', { key, body })).status).to.equal(202)
  await app.settled()
  return data
}

describe('Administration: captured mail', () => {
  const newWorld = shareAdminWorld()
  let app: TestApp
  let api: AdminWorld['admin']['api']
  let sender: Sender
  beforeEach(async () => {
    const world = await newWorld()
    app = world.app
    api = world.admin.api
    sender = await newSender(app)
  })

  const list = async (query = '') => (await api('GET', `/admin/captured-emails${query}`)).body
  const listed = async () => (await list('?limit=100')).data.filter(({ account }: { account: string }) => account === sender.email)

  it('is listed for live and test mode, newest first, and read with its text and its HTML', async () => {
    const [live, test] = [await send(app, sender.live), await send(app, sender.test, { bodyHtml: '<p>Hello</p>', subject: 'Test' })]
    const mails = await listed()
    const sentAt = new Date(app.app.clock.now()).toISOString()
    const common = { account: sender.email, to: 'ada@example.com', sentAt }
    expect(mails).to.deep.equal([
      { ...common, id: mails[0].id, mode: 'test', from: test.address, subject: 'Test' },
      { ...common, id: mails[1].id, mode: 'live', from: live.address, subject: 'Hello' },
    ])
    const read = async ({ id }: { id: string }) => (await api('GET', `/admin/captured-emails/${id.toUpperCase()}`)).body.data
    expect(await read(mails[0])).to.deep.equal({ ...mails[0], text: 'Hello Ada', html: '<p>Hello</p>' })
    expect(await read(mails[1])).to.deep.equal({ ...mails[1], text: 'Hello Ada', html: null })
    const [audit] = (await api('GET', '/audit-logs')).body.data
    expect(audit).to.include({ action: 'capturedEmails.get', resourceId: mails[1].id, status: 200 })
  })

  it('is read with the whole of long bodies', async () => {
    const [text, html] = ['long '.repeat(2_000).trim(), `<p>${'größer '.repeat(6_000)}</p>`]
    await send(app, sender.live, { body: text, bodyHtml: html })
    const [{ id }] = await listed()
    const { data } = (await api('GET', `/admin/captured-emails/${id}`)).body
    expect([data.text.trim() === text, data.html.trim() === html]).to.deep.equal([true, true])
  })

  it('is listed with the beginning of a long subject, and read with the whole', async () => {
    const { id: addressId, address } = (await app.api('POST', '/addresses', { key: sender.live, body: {} })).body.data
    await sendRaw(app.smtp.port, address, `From: ada@example.com\r\nSubject: ${'word word word\r\n '.repeat(1_000)}\r\n\r\nhi\r\n`)
    await app.settled()
    const [{ id }] = (await app.api('GET', `/emails?addressId=${addressId}`, { key: sender.live })).body.data
    const { data: { id: forwardToId } } = (await app.api('POST', '/forwarding-addresses', { key: sender.live, body: { email: 'ada@example.com' } })).body
    await press(app, await capturedLink(app, 'ada@example.com'))
    expect((await app.api('POST', `/emails/${id}/forward`, { key: sender.live, body: { forwardToId } })).status).to.equal(202)
    await app.settled()
    const [mail] = await listed()
    expect([mail.subject.slice(-2), Buffer.byteLength(mail.subject)]).to.deep.equal(['o…', 1_000])
    expect((await api('GET', `/admin/captured-emails/${mail.id}`)).body.data.subject).to.match(/^(?:word ?){3000}$/)
  })

  it('is listed in pages', async () => {
    for (const subject of ['1', '2', '3']) await send(app, sender.live, { subject })
    const first = await list('?limit=2')
    const second = await list(`?limit=1&before=${first.data[1].id}`)
    const subjects = [...first.data, ...second.data].map(({ subject }: { subject: string }) => subject)
    expect([subjects, first.hasMore]).to.deep.equal([['3', '2', '1'], true])
    const last = await list('?before=00000000-0000-7000-8000-000000000000')
    expect(last).to.deep.equal({ data: [], hasMore: false })
  })

  it('has verification mails of accounts, but no sign-in links, which give access to an account', async () => {
    await app.api('POST', '/forwarding-addresses', { key: sender.live, body: { email: 'grace@example.com' } })
    const requested = await app.api('POST', '/sign-in-links', { key: null, headers: sameOrigin, body: { email: sender.email } })
    expect(requested.status).to.equal(202)
    await app.settled()
    const { id, status } = (await rowsOf(app, 'deliveries')).find(({ recipient }) => recipient === sender.email)!
    expect(status).to.equal('captured')
    expect((await listed()).map(({ to }: { to: string }) => to)).to.deep.equal(['grace@example.com'])
    expect(JSON.stringify((await list('?limit=100')).data)).to.not.include(id)
    const answer = await api('GET', `/admin/captured-emails/${id}`)
    expect([answer.status, answer.body]).to.deep.equal([404, { error: 'There is no captured email with this id.', code: 'NOT_FOUND' }])
  })

  it('is not that of a deleted address or account, whose rows are being removed', async () => {
    const { id: addressId } = await send(app, sender.live)
    await send(app, sender.test)
    const ids = (await listed()).map(({ id }: { id: string }) => id)
    expect(ids).to.have.length(2)
    const unmark = await markMailboxesRemoved(app, [addressId])
    expect(await listed()).to.have.length(1)
    await unmark()
    const restore = await refuseChanges(app, 'delete', 'emails')
    await deleteAccount(app, sender.email)
    const all = (await list('?limit=100')).data.map(({ id }: { id: string }) => id)
    expect(all).to.not.include.members(ids)
    for (const id of ids) expect((await api('GET', `/admin/captured-emails/${id}`)).status).to.equal(404)
    await restore()
    await app.advance({ minutes: 5 })
  })

  it('is not mail that waits to be sent', async () => {
    await using relayed = await openTestApp({ env: { MAYFLY_OUTBOUND: 'smtp://127.0.0.1:1' } })
    const admin = await signIn(relayed, { email: (await rowsOf(relayed, 'accounts'))[0]!.email })
    const other = await newSender(relayed)
    await send(relayed, other.live, { subject: 'live' })
    await send(relayed, other.test, { subject: 'test' })
    const { data } = (await admin.api('GET', '/admin/captured-emails')).body
    expect(data.map(({ subject }: { subject: string }) => subject)).to.deep.equal(['test'])
  })
})
