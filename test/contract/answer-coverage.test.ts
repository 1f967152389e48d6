import { expect } from 'chai'
import { readDocument } from '../../openapi/document.ts'
import { openTestApp } from '../support/app.ts'
import { answerCoverage } from '../support/answer-coverage.ts'
import { answered } from '../support/replies.ts'
import { allOperations as operations } from './requests.ts'

const document = readDocument()
const all = operations.flatMap(({ operationId, definition }) => Object.keys(definition.responses!).map((status) => `${operationId} ${status}`))

describe('Answer coverage: documented answers that no server of a test gave', () => {
  it('are recorded by operation and status, except those requested with X-Mayfly-Fault', async () => {
    await using app = await openTestApp()
    const key = await app.newKey({ isTest: true })
    const before = [...answered]
    answered.clear()
    for (const status of [429, 500, 503]) await app.api('GET', '/analytics', { key, headers: { 'x-mayfly-fault': `status=${status}` } })
    expect([...answered]).to.deep.equal([])
    await app.api('GET', '/analytics')
    await app.api('PUT', '/analytics')
    expect([...answered]).to.deep.equal(['analytics.get 200', 'analytics.get 405'])
    for (const answer of before) answered.add(answer)
  })

  it('are listed, and each needs a test or a reason', () => {
    const given = new Set(all.filter((answer) => answer !== 'emails.get 404' && answer !== 'webhooks.test 507'))
    const { table, problems } = answerCoverage(document, given, { 'webhooks.test 507': 'the disk never fills' })
    expect(table).to.deep.equal([
      `Of ${all.length} answers that the document has for ${operations.length} operations, the servers of the tests gave ${all.length - 2}.`,
      `  ${'emails.get 404'.padEnd(50)} not explained`,
      `  ${'webhooks.test 507'.padEnd(50)} the disk never fills`,
    ])
    expect(problems).to.deep.equal(['emails.get 404: add a test that gets this answer, or the reason why no test can'])
  })

  it('must not have a reason when a server gave them, or when they are not documented', () => {
    const { problems } = answerCoverage(document, new Set(all), { 'emails.get 404': 'none', 'emails.get 418': 'none' })
    expect(problems).to.deep.equal([
      'emails.get 404: remove the explanation, the answer was given',
      'emails.get 418: remove the explanation, the answer is not documented',
    ])
  })
})
