import { expect } from 'chai'
import { documentFor, operationsOf } from '../../openapi/document.ts'
import { timesOf } from '../../openapi/times.ts'
import { withDates } from '../../sdk/core/dates.ts'

const text = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/

/** The members of a body that are text and look like a time. */
function writtenTimes(body: unknown, name = ''): string[] {
  if (typeof body === 'string') return text.test(body) ? [name] : []
  return Object.entries(body ?? {}).flatMap(([key, value]) => writtenTimes(value, `${name}.${key}`))
}

describe('SDK: times in answers', () => {
  const examples = operationsOf(documentFor('api')).flatMap(({ operationId, definition, status }) => {
    const { content } = definition.responses![status] as { content?: Record<string, { examples: Record<string, { value?: unknown }> }> }
    return Object.entries(content?.['application/json']?.examples ?? {}).filter(([, { value }]) => value)
      .map(([name, { value }]) => ({ name: `${operationId}, ${name}`, value }))
  })

  it('are Dates, in every example of the document', () => {
    expect(examples.length).to.be.above(40)
    for (const { name, value } of examples) expect(writtenTimes(withDates(structuredClone(value))), name).to.deep.equal([])
  })

  it('are not converted in the headers of an email, whose names are the sender\'s', () => {
    const headers = { createdAt: '2026-03-14T09:00:00.000Z', Date: 'Sat, 14 Mar 2026 09:00:00 GMT' }
    expect(withDates({ data: { headers, receivedAt: '2026-03-14T09:00:00.000Z', sentAt: null } })).to.deep.equal({
      data: { headers, receivedAt: new Date('2026-03-14T09:00:00.000Z'), sentAt: null },
    })
  })

  it('are identified by their names, so an ambiguous name is refused', () => {
    const answer = (schema: object) => ({ responses: { 200: { content: { 'application/json': { schema } } } } })
    const document = {
      paths: {
        '/a': { get: answer({ properties: { day: { type: 'string', format: 'date' } } }) },
        '/b': { get: answer({ items: { properties: { day: { type: 'integer' } } } }) },
      },
    }
    expect(() => timesOf(document as never)).to.throw('day: a time in one answer and something else in another')
  })
})
