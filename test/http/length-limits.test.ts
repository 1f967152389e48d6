import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { document } from '../contract/requests.ts'
import { openDomainsWorld } from '../support/domains.ts'
import type { DomainsWorld } from '../support/domains.ts'

/** The maxLength of a member in the document. */
function documented(schema: string, member: string): number {
  const { properties } = document.components!.schemas![schema] as OpenAPIV3_1.SchemaObject
  return (properties![member] as OpenAPIV3_1.SchemaObject).maxLength!
}

/** A domain with this number of characters, in labels of at most 63. */
function domainOf(length: number): string {
  const name = `${'a'.repeat(63)}.`.repeat(4).slice(0, length - '.example'.length)
  return `${name.endsWith('.') ? `${name.slice(0, -1)}a` : name}.example`
}

const tooLong = (path: string, max: number) => [400, [{ path, message: `must NOT have more than ${max} characters` }]]

describe('Length limits: the server enforces those of the document', () => {
  let world: DomainsWorld
  before(async () => { world = await openDomainsWorld() })
  after(() => world[Symbol.asyncDispose]())

  const ask = async (path: string, body: object, key = world.app.key) => {
    const { status, body: answer } = await world.app.api('POST', path, { key, body })
    return [status, answer.details]
  }

  it('for the domain of POST /domains: 253 characters, the limit of DNS', async () => {
    const max = documented('DomainCreate', 'domain')
    expect([max, documented('Domain', 'domain')]).to.deep.equal([253, 253])
    expect(await ask('/domains', { domain: domainOf(max) })).to.deep.equal([201, undefined])
    expect(await ask('/domains', { domain: domainOf(max + 1) })).to.deep.equal(tooLong('body.domain', max))
  })

  it('for the domain of POST /addresses', async () => {
    const max = documented('AddressCreate', 'domain')
    const { domain } = await world.hold(domainOf(max).replace('a', 'b'))
    expect(domain).to.have.length(max)
    expect(await ask('/addresses', { alias: 'x'.repeat(100), domain })).to.deep.equal([201, undefined])
    expect(await ask('/addresses', { domain: `c${domain}` })).to.deep.equal(tooLong('body.domain', max))
  })

  it('for the recipient of POST /emails: the longest address that a server issues', async () => {
    const max = documented('EmailSend', 'to')
    const { id: fromAddressId } = await world.app.newAddress()
    const send = (to: string) => ask('/emails', { fromAddressId, to, subject: 's', body: 'b' })
    const longest = `${'x'.repeat(100)}@${domainOf(253)}`
    expect(longest).to.have.length(max)
    expect(await send(longest)).to.deep.equal([202, undefined])
    expect(await send(` ${longest}`)).to.deep.equal(tooLong('body.to', max))
    const named = `${'n'.repeat(max - '<ada@example.org>'.length)}<ada@example.org>`
    expect(await send(named)).to.deep.equal([202, undefined])
    expect(await send(`n${named}`)).to.deep.equal(tooLong('body.to', max))
    expect(await send(`${'x'.repeat(101)}@example.org`)).to.deep.equal([400, [
      { path: 'body.to', message: 'must be exactly one email address, such as ada@example.com' },
    ]])
  })

  it('for the recipient and the sender of POST /test/emails', async () => {
    expect([documented('TestEmailCreate', 'to'), documented('TestEmailCreate', 'from')]).to.deep.equal([354, 354])
    const key = await world.app.newKey({ isTest: true })
    const { domain } = await world.hold(domainOf(253).replace('a', 'd'), key)
    const { address } = (await world.app.api('POST', '/addresses', { key, body: { alias: 'x'.repeat(100), domain } })).body.data
    const inject = (to: string, from = address) => ask('/test/emails', { to, from, subject: 's', text: 't' }, key)
    expect(await inject(address)).to.deep.equal([201, undefined])
    expect(await inject(`x${address}`)).to.deep.equal(tooLong('body.to', 354))
    expect(await inject(address, ` ${address}`)).to.deep.equal(tooLong('body.from', 354))
  })

  it('for the forwarding address: 254 characters', async () => {
    const max = documented('ForwardingAddressCreate', 'email')
    const email = (length: number) => `${'x'.repeat(100)}@${domainOf(length - 101)}`
    expect(await ask('/forwarding-addresses', { email: email(max) })).to.deep.equal([201, undefined])
    expect(await ask('/forwarding-addresses', { email: email(max + 1) })).to.deep.equal(tooLong('body.email', max))
  })
})
