import { expect } from 'chai'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpLimits } from '../../../server/http/limits.ts'
import { FairShare } from '../../../server/http/operations/fair-share.ts'
import { ServerConnections } from '../../../server/http/wire/connections.ts'

describe('HTTP connections: the end of the server', () => {
  it('waits for the requests that are being answered, and begins none that waits for its turn: the database is closed then', async () => {
    const begun: string[] = []
    const share = new FairShare()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const server = createServer()
    const connections = new ServerConnections({
      limits: httpLimits, share, isUnbounded: () => true, clientOf: () => '', basePath: '', refuse: async () => {},
      async answer(req) {
        begun.push(req.url!)
        await held
      },
    })
    connections.limit(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const request = async (path: string) => {
      void fetch(`http://127.0.0.1:${port}${path}`).catch(() => {})
      await once(server, 'request')
    }
    await request('/first')
    while (begun.length === 0) await new Promise(setImmediate)

    server.prependOnceListener('request', () => share.begin({}, 'another network', () => {})) // has the turn when the second one comes
    await request('/second')
    let isClosed = false
    const closed = connections.close().then(() => { isClosed = true })
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
    expect([begun, isClosed]).to.deep.equal([['/first'], false])
    release()
    await closed
    server.close().closeAllConnections()
  })
})
