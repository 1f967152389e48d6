import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { openPostgresProxy } from '../support/postgres-proxy.ts'
import { newPostgresDatabase } from '../support/postgres.ts'

/** Maximum time until requests and mail are answered again. */
const maxMs = 60_000

describe('Nodes: silent connections to the database', function () {

  it('are replaced: each request and mail is answered, and those that follow as before', async () => {
    const proxy = await openPostgresProxy(new URL(await newPostgresDatabase()))
    try {
      await using node = await openTestApp({ database: proxy.url, isRealTime: true })
      const { id, address } = await node.newAddress()
      const send = (subject: string) => node.send({ to: address, subject })
      await Promise.all([send('first'), ...Array.from({ length: 3 }, () => node.listEmails())])
      proxy.freeze()
      const startedAt = performance.now()
      const [listed, created] = await Promise.all([
        node.api('GET', '/emails'), node.api('POST', '/addresses', { body: {} }), send('second').catch((error: unknown) => error),
      ])
      expect(listed.status).to.be.oneOf([200, 503])
      expect(created.status).to.be.oneOf([201, 503])
      await send('third')
      const { status, body } = await node.api('GET', `/emails?address_id=${id}`)
      expect(status).to.equal(200)
      expect(body.data[0].subject).to.equal('third')
      expect(performance.now() - startedAt).to.be.below(maxMs)
    } finally {
      await proxy.close()
    }
  })
})
