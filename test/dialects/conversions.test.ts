import { expect } from 'chai'
import { toClassicAnswer } from '../../server/dialects/answers.ts'
import { dialectOf, dialects } from '../../server/dialects/dialects.ts'
import { toClassicError } from '../../server/dialects/errors.ts'
import { toClassicEvents } from '../../server/dialects/events.ts'
import { classicRequests } from '../../server/dialects/requests.ts'
import { readIds, withoutPrefixes } from '../../server/ids.ts'

const id = '019ceb92-ea80-752e-bca9-6513269e0d37'

describe('Classic dialect: requests', () => {
  it('has lifetimes in hours', () => {
    expect(classicRequests['addresses.create']!({ path: {}, query: {}, body: { alias: 'abc', expiresIn: 24 } }).body).to.deep.equal({ alias: 'abc', expiresIn: 86_400 })
    expect(classicRequests['addresses.create']!({ path: {}, query: {}, body: undefined }).body).to.equal(undefined)
  })

  it('has 20 emails on a page', () => {
    const limitOf = (query: object) => classicRequests['emails.list']!({ path: {}, query: { ...query }, body: undefined }).query!['limit']
    expect([limitOf({}), limitOf({ limit: 50 })]).to.deep.equal([20, 50])
  })
})

describe('Ids of requests', () => {
  it('may have the prefix of their type', () => {
    const members = { id: `addr_${id.toUpperCase()}`, after: `email_${id}`, addressIds: [`addr_${id}`, id, 1], forwardToId: null, deliveryId: id.toUpperCase() }
    readIds(members)
    expect(members).to.deep.equal({ id, after: id, addressIds: [id, 1], forwardToId: null, deliveryId: id })
  })

  it('are one id where a list spells it in two ways, and two where a list repeats one spelling', () => {
    for (const [spelled, ids] of [[[id, `addr_${id}`], [id]], [[id, id], [id, id]]]) {
      const members = { addressIds: spelled }
      readIds(members)
      expect(members).to.deep.equal({ addressIds: ids })
    }
  })

  it('are not looked for in other texts, nor changed with the prefix of another type', () => {
    const members = { subject: `addr_${id}`, q: id.toUpperCase(), before: `other_${id}`, after: 'c1-17', addressId: `addr_${id}x`, emailId: `addr_${id}`, id: `ADDR_${id}` }
    const before = { ...members }
    readIds(members)
    expect(members).to.deep.equal(before)
  })

  it('may have a prefix in the path', () => {
    expect(withoutPrefixes(`/api/v1/emails/email_${id}/attachments/att_${id}`)).to.equal(`/api/v1/emails/${id}/attachments/${id}`)
    for (const path of ['/api/v1/emails', `/a_b/${id}`, `/addresses/addr_${id}x`, `/addresses/wh_${id}`, `/api-keys/wh_${id}`]) expect(withoutPrefixes(path)).to.equal(path)
  })
})

describe('Classic dialect: answers', () => {
  it('have success first, and deletions have deleted and id', () => {
    const answer = toClassicAnswer('domains.delete', { message: 'The domain is deleted.' }, { id })
    expect(JSON.stringify(answer)).to.equal(`{"success":true,"data":{"deleted":true,"id":"dom_${id}"},"message":"The domain is deleted."}`)
    expect(toClassicAnswer('sessions.delete', { message: 'Ended.' }, { id })).to.deep.equal({ success: true, data: { deleted: true, id }, message: 'Ended.' })
    expect(toClassicAnswer('sessions.deleteAll', { message: 'Ended.' }, {})).to.deep.equal({ success: true, message: 'Ended.' })
  })

  it('of the analytics are the same', () => {
    const counters = { totalAddresses: 1 }
    expect(toClassicAnswer('analytics.get', counters, {})).to.equal(counters)
  })

  it('do not change the headers of an email', () => {
    const { data } = toClassicAnswer('emails.get', { data: { id, addressId: id, attachments: [], headers: { emailId: id, id } } }, {}) as { data: object }
    expect(data).to.deep.equal({ id: `email_${id}`, addressId: `addr_${id}`, attachments: [], headers: { emailId: id, id } })
  })

  it('keep the member of an address at its place, under its other name', () => {
    const { data } = toClassicAnswer('addresses.get', { data: { id, address: 'a@b.example', alias: 'a' } }, {}) as { data: object }
    expect(JSON.stringify(data)).to.equal(`{"id":"addr_${id}","email":"a@b.example","alias":"a"}`)
  })

  it('of the audit log have the prefix of the action', () => {
    const prefixes = (action: string) => {
      const { data } = toClassicAnswer('auditLogs.list', { data: [{ action, resourceId: id }, { action, resourceId: null }] }, {}) as { data: { resourceId: string }[] }
      return data.map(({ resourceId }) => resourceId && resourceId.replace(id, ''))
    }
    for (const [action, prefix] of Object.entries({
      'addresses.get': 'addr_', 'forwardingRules.get': 'addr_', 'emails.list': 'addr_', 'emails.get': 'email_', 'test.createEmail': 'email_',
      'webhooks.disabled': 'wh_', 'apiKeys.revoke': '', 'other': '',
    })) expect(prefixes(action), action).to.deep.equal([prefix, null])
  })
})

describe('Classic dialect: errors', () => {
  it('have success, code and message', () => {
    expect(toClassicError({ error: 'No.', code: 'NOT_FOUND' })).to.deep.equal({ success: false, error: { code: 'NOT_FOUND', message: 'No.' } })
  })
})

describe('Classic dialect: events', () => {
  it('have prefixes and email, in any number of events', () => {
    const event = (data: object) => `id: x\nevent: y\ndata: ${JSON.stringify({ id, type: 'y', data })}\n\n`
    const text = ': connected\nretry: 1000\nid: x\n\n' + event({ emailId: id, addressId: id, subject: 'address' }) + event({ addressId: id, address: 'a@b.example' })
    expect(toClassicEvents(text)).to.equal(': connected\nretry: 1000\nid: x\n\n' +
      event({ emailId: `email_${id}`, addressId: `addr_${id}`, subject: 'address' }) + event({ addressId: `addr_${id}`, email: 'a@b.example' }))
    expect(toClassicEvents(': nothing new\n\n')).to.equal(': nothing new\n\n')
    const separated = event({ subject: 'a\u2028b\u2029data: c' })
    expect(toClassicEvents(separated)).to.equal(separated)
  })
})

describe('Dialects: which one', () => {
  it('is that of the header, then that of the key', () => {
    const { classic } = dialects
    expect([dialectOf('classic'), dialectOf('primary', 'classic'), dialectOf(undefined, 'classic'), dialectOf('other', 'classic'), dialectOf(undefined)])
      .to.deep.equal([classic, undefined, classic, classic, undefined])
    expect(dialectOf('toString')).to.equal(undefined)
  })
})
