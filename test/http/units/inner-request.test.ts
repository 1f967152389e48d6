import { expect } from 'chai'
import { createServer } from 'node:http'
import { openInnerFetch } from '../../../server/http/wire/inner-request.ts'

describe('Inner requests', () => {
  it('have a connection that is identified before the server takes it, so that it takes turns of its account', async () => {
    const identified = new WeakSet<object>()
    const taken: unknown[] = []
    const server = createServer((req, res) => res.end(`${req.method} ${req.url}`))
    server.prependListener('connection', (socket: object) => taken.push([identified.has(socket), (socket as { remoteAddress: string }).remoteAddress]))
    const answer = await openInnerFetch(server)(new Request('http://mail.test/api/v1/emails?limit=1'), '192.0.2.1', (connection) => { identified.add(connection) })
    expect([answer.status, await answer.text()]).to.deep.equal([200, 'GET /api/v1/emails?limit=1'])
    expect(taken).to.deep.equal([[true, '192.0.2.1']])
  })
})
