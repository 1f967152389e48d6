import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { closedAnswers } from '../support/closed-answers.ts'
import { readEvents } from '../support/event-reader.ts'
import { document } from './requests.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(closedAnswers(document), 'document')
const isItem = ajv.getSchema('document#/paths/~1api~1v1~1events/get/x-stream/itemSchema')!

describe('Event streams: schema in the document', () => {
  it('accepts every kind of event', async () => {
    await using app = await openTestApp()
    const reader = await readEvents(app.url, app.key)
    await reader.comment(1)
    const { id, address } = await app.newAddress({ expiresIn: 60 })
    await app.send({ to: address, subject: 'Hello', text: 'Hello' })
    const { id: emailId } = await app.onlyEmail(id)
    await app.api('DELETE', `/emails/${emailId}`)
    await app.advance({ minutes: 2 })
    await app.api('DELETE', `/addresses/${id}`)
    const events = await reader.until(5)
    reader.drop()
    expect(events.map(({ event }) => event)).to.deep.equal(['address.created', 'email.received', 'email.deleted', 'address.expired', 'address.deleted'])
    for (const { event, data } of events) {
      expect(isItem(data), `${event}: ${JSON.stringify(isItem.errors)}`).to.equal(true)
      expect(isItem({ ...data, notYetKnown: 'new' }), event).to.equal(false)
    }
  })
})
