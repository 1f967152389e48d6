import { expect } from 'chai'
import { delivery, hello } from '../smtp/mailbox.ts'
import type { ApiAnswer } from '../support/app.ts'
import { openMock } from '../support/mock.ts'
import { playSession } from '../support/play-session.ts'
import type { Row } from './rows.ts'
import { rows } from './rows.ts'
import { eachRow } from './table.ts'
import type { SpecTable } from './table.ts'
import { openSpecWorld } from './world.ts'
import type { SpecWorld } from './world.ts'

/** Calls of the classic dialect to a server or to a mock, with an address that has an email with an attachment. */
interface Side {
  ask(method: string, path: string, body?: object, key?: string): Promise<ApiAnswer>
  address: { id: string, email: string }
  emailId: string
  /** A verified domain. */
  domain: string
}

interface World extends AsyncDisposable {
  server: Side
  mock: Side
  spec: SpecWorld
}

const asker = (url: string, ownKey: string): Side['ask'] => async (method, path, body, key = ownKey) => {
  const headers = { ...key && { authorization: `Bearer ${key}` }, 'x-mayfly-dialect': 'classic', ...body && { 'content-type': 'application/json' } }
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

async function openWorld(): Promise<World> {
  const spec = await openSpecWorld()
  const mock = await openMock()
  const ofServer = asker(spec.app.url, spec.app.key)
  const address = await spec.app.newAddress()
  const emailId = await spec.newMail(address)
  await playSession(spec.app.smtp, [hello, ...Array.from({ length: 101 }, () => delivery(address.address)).flat()])
  await spec.app.settled()
  const ofMock = asker(mock.url, 'svc_test_mock')
  const { emails } = (await ofMock('GET', '/emails')).body.data
  const [shown] = (await ofMock('GET', '/addresses')).body.data.addresses
  return {
    spec,
    server: {
      ask: ofServer, address: { id: `addr_${address.id}`, email: address.address }, emailId: `email_${emailId}`, domain: (await spec.hold('variants.example')).domain,
    },
    mock: { ask: ofMock, address: shown, emailId: emails[0].id, domain: 'variants.example' },
    async [Symbol.asyncDispose]() {
      await mock[Symbol.asyncDispose]()
      await spec[Symbol.asyncDispose]()
    },
  }
}

const expectError = ({ status, body }: ApiAnswer, expected: number, code: string) => {
  expect([status, body.success, body.error.code]).to.deep.equal([expected, false, code])
  expect(body.error.message).to.match(/^.{10,300}\.$/)
}

/** @param letter of aliases that no other test takes */
const hasAliasLengths = (letter: string) => async ({ ask }: Side) => {
  for (const alias of [letter.repeat(3), letter.repeat(30)]) expect((await ask('POST', '/addresses', { alias })).body.data.alias).to.equal(alias)
  for (const alias of [letter.repeat(2), letter.repeat(31)]) {
    const answer = await ask('POST', '/addresses', { alias })
    expectError(answer, 400, 'INVALID_REQUEST')
    expect(answer.body.error.details.map(({ path }: { path: string }) => path)).to.deep.equal(['body.alias'])
  }
  const random = (await ask('POST', '/addresses', {})).body.data.alias
  expect(random.length).to.be.within(3, 30)
}

/** The proofs, for the server and for the mock alike. */
const proofs: Record<Row<'variant'>, (side: Side) => Promise<void>> = {
  async 'Identifiers: type prefixes instead of UUIDs'({ ask, address, emailId }) {
    const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    const { data } = (await ask('GET', `/emails/${emailId}`)).body
    expect(data.id).to.match(RegExp(`^email_${uuid}`))
    expect(data.addressId).to.match(RegExp(`^addr_${uuid}`))
    for (const { id } of data.attachments) expect(id).to.match(RegExp(`^att_${uuid}`))
    expect((await ask('GET', `/addresses/${address.id}`)).body.data.id).to.equal(address.id)
    const posted = async (path: string, body: object) => (await ask('POST', path, body)).body.data.id as string
    expect(await posted('/domains', { domain: 'prefixes.example' })).to.match(RegExp(`^dom_${uuid}`))
    expect(await posted('/forwarding-addresses', { email: 'prefixes@example.com' })).to.match(RegExp(`^fwd_${uuid}`))
    expect(await posted('/webhooks', { url: 'https://hooks.example.com/prefixes', events: ['address.deleted'], addressIds: [address.id] })).to.match(RegExp(`^wh_${uuid}`))
    expect(await posted('/emails', { fromAddressId: address.id, to: 'ada@example.com', subject: 'Hello', body: 'Hello' })).to.match(RegExp(`^email_${uuid}`))
  },
  async 'Address, address: named email'({ ask, address }) {
    const { data } = (await ask('GET', `/addresses/${address.id}`)).body
    expect(data.email).to.equal(address.email)
    expect(data).to.not.have.property('address')
  },
  'Address, alias: 3 to 30 characters': hasAliasLengths('x'),
  async 'Address, emailCount: list and detail'({ ask, address }) {
    const { addresses } = (await ask('GET', '/addresses')).body.data
    const { data } = (await ask('GET', `/addresses/${address.id}`)).body
    for (const each of [...addresses, data]) expect(each.emailCount).to.be.a('number')
    expect(data.emailCount).to.be.at.least(1)
  },
  async 'Address, lastEmailAt: detail'({ ask, address }) {
    expect((await ask('GET', `/addresses/${address.id}`)).body.data.lastEmailAt).to.match(/^\d{4}-.*Z$/)
  },
  async 'Email, headers: detail'({ ask, emailId }) {
    expect((await ask('GET', `/emails/${emailId}`)).body.data.headers).to.be.an('object').that.has.property('Subject')
  },
  async 'Email, preview: list item'({ ask }) {
    for (const { preview } of (await ask('GET', '/emails')).body.data.emails) expect(preview).to.be.a('string')
  },
  async 'GET /api/v1/addresses: adds hasMore and a success flag'({ ask }) {
    const { success, data } = (await ask('GET', '/addresses')).body
    expect([success, data.hasMore]).to.deep.equal([true, false])
  },
  async 'POST /api/v1/addresses: expiresIn in hours'({ ask }) {
    for (const expiresIn of [1, 24, 720]) {
      const { createdAt, expiresAt } = (await ask('POST', '/addresses', { expiresIn })).body.data
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(expiresIn * 3_600_000)
    }
    for (const expiresIn of [0, 721, 1.5]) expectError(await ask('POST', '/addresses', { expiresIn }), 400, 'INVALID_REQUEST')
  },
  'POST /api/v1/addresses: alias 3 to 30 characters': hasAliasLengths('y'),
  async 'POST /api/v1/addresses: domain if configured'({ ask, domain }) {
    expect((await ask('POST', '/addresses', { alias: 'configured', domain })).body.data.email).to.equal(`configured@${domain}`)
  },
  async 'GET /api/v1/addresses/:id'({ ask, address }) {
    expect((await ask('GET', `/addresses/${address.id}`)).body).to.deep.include({ success: true })
  },
  async 'DELETE /api/v1/addresses/:id: { data: { deleted: true, id } }'({ ask }) {
    const { id } = (await ask('POST', '/addresses', {})).body.data
    expect((await ask('DELETE', `/addresses/${id}`)).body.data).to.deep.equal({ deleted: true, id })
  },
  async 'GET /api/v1/emails: list under data.emails, default limit 20, max 100'({ ask }) {
    const { success, data } = (await ask('GET', '/emails')).body
    expect([success, data.limit]).to.deep.equal([true, 20])
    expect(data.emails).to.be.an('array').with.length.within(1, 20)
    expect((await ask('GET', '/emails?limit=100')).body.data.limit).to.equal(100)
    expectError(await ask('GET', '/emails?limit=101'), 400, 'INVALID_REQUEST')
  },
  async 'GET /api/v1/emails: filters by addressId instead of address_id'({ ask, address }) {
    const { emails } = (await ask('GET', `/emails?addressId=${address.id}`)).body.data
    expect(emails).to.not.have.length(0)
    for (const { addressId } of emails) expect(addressId).to.equal(address.id)
    expectError(await ask('GET', `/emails?address_id=${address.id}`), 400, 'INVALID_REQUEST')
  },
  async 'DELETE /api/v1/emails/:id: { data: { deleted: true, id } }'({ ask, emailId }) {
    expect((await ask('DELETE', `/emails/${emailId}`)).body.data).to.deep.equal({ deleted: true, id: emailId })
  },
  async 'Errors: { success: false, error: { code, message } }, one code being INVALID_API_KEY'({ ask }) {
    expectError(await ask('GET', '/emails', undefined, ''), 401, 'INVALID_API_KEY')
    expectError(await ask('GET', '/emails?limit=0'), 400, 'INVALID_REQUEST')
  },
  async 'Page size, emails: default 20, max 100'({ ask }) {
    for (const [query, limit] of [['', 20], ['?limit=1', 1], ['?limit=100', 100]] as const) {
      const { data } = (await ask('GET', `/emails${query}`)).body
      expect(data.limit).to.equal(limit)
      expect(data.emails).to.have.length(Math.min(limit, data.total))
    }
  },
  'Address alias: 3 to 30 characters': hasAliasLengths('z'),
}

export const variants: SpecTable<Row<'variant'>, World> = {
  open: openWorld,
  proofs: eachRow(rows.variant, (row) => async ({ server, mock }: World) => {
    for (const side of [server, mock]) await proofs[row](side)
  }),
}
