import { expect } from 'chai'
import pino from 'pino'
import { openTestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { loseTable } from '../support/store/faults.ts'

describe('500 INTERNAL_ERROR: errors of the server', () => {
  /** The place of the fault: the operation, the lookup of the key, the lookup of the key for an unknown path. */
  for (const [place, table, method, path] of [
    ['an operation', 'address_names', 'POST', '/api/v1/addresses'],
    ['the lookup of the key', 'api_keys', 'GET', '/api/v1/addresses'],
    ['the lookup of the key, for an unknown path,', 'api_keys', 'GET', '/nowhere'],
    ['the version of the keys', 'api_key_version', 'GET', '/api/v1/addresses'],
  ] as const) {
    it(`in ${place} is a 500 without the reason, which only the log has`, async () => {
      const lines: string[] = []
      await using app = await openTestApp({ log: pino({ level: 'info' }, { write: (line) => { lines.push(line) } }) })
      await loseTable(app, table)

      const answer = await rawRequest(app.url, { method, path, headers: { authorization: `Bearer ${app.key}` } })
      expect(answer.status).to.equal(500)
      expect(answer.json).to.deep.equal({
        error: 'Something went wrong on this server. Its operator finds the reason in the log.', code: 'INTERNAL_ERROR',
      })
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
        expect(answer.headers[name]).to.match(/^\d+$/)
      }

      const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed')
      expect(failures).to.have.length(1)
      expect(failures[0].err.message).to.include(table)
      expect(failures[0].requestId).to.equal(answer.headers['x-request-id'])
      expect(lines.join('')).to.not.include(app.key)
    })
  }

  it('do not make the next request fail', async () => {
    await using app = await openTestApp()
    const create = async () => (await app.api('POST', '/addresses', { body: {} })).status
    const restore = await loseTable(app, 'address_names')
    expect(await create()).to.equal(500)
    await restore()
    expect(await create()).to.equal(201)
  })
})
