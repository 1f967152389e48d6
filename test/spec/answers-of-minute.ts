import { expect } from 'chai'
import { unknownId } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

/** Sends requests until the rate limit refuses one, and returns the answers, of many statuses. */
export async function answersOfMinute() {
  await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '' } })
  const json = { 'content-type': 'application/json' }
  const body = '{"alias":"here"}'
  const kinds = [
    [200, 'GET', '/analytics'], [201, 'POST', '/addresses', json, body], [204, 'GET', '/emails/wait?timeout=0'], [400, 'GET', '/addresses?limit=0'],
    [404, 'GET', `/emails/${unknownId}`], [404, 'GET', '/nowhere'], [405, 'PUT', '/analytics'], [409, 'POST', '/addresses', json, body],
    [413, 'POST', '/addresses', json, ' '.repeat(1024 * 1024 + 1)], [415, 'POST', '/addresses', { 'content-type': 'text/plain' }, body],
    ...Array.from({ length: 90 }, () => [200, 'GET', '/analytics'] as const), [429, 'GET', '/analytics'],
  ] as const
  const answers = []
  for (const [status, method, path, headers = {}, body] of kinds) {
    const answer = await rawRequest(app.url, { method, path: `/api/v1${path}`, headers: { authorization: `Bearer ${app.key}`, ...headers }, body })
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(status)
    answers.push(answer)
  }
  return { answers, now: app.app.clock.now() }
}
