import { expect } from 'chai'
import { Mayfly } from '../../sdk/mayfly.ts'
import { openTestApp } from '../support/app.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { sendRaw } from '../support/send-raw.ts'

const unavailable = { error: 'This server cannot use its database at the moment. Try again in some seconds.', code: 'INTERNAL_ERROR' }

describe('Nodes: a database server that ends and starts again', () => {

  it('requests are answered 503 and mail 451 meanwhile, changes are made once, and the SDK repeats its call', async () => {
    const server = await startPostgres()
    try {
      await using node = await openTestApp({ database: server.url('postgres'), isRealTime: true })
      const { address } = await node.newAddress()
      const keyed = { body: { alias: 'keyed' }, headers: { 'Idempotency-Key': 'outage' } }
      const calls = [
        () => node.api('GET', '/emails'),
        () => node.api('POST', '/addresses', { body: { alias: 'unkeyed' } }),
        () => node.api('POST', '/addresses', keyed),
        () => node.api('GET', '/emails/wait?timeout=1'),
      ]
      const repeated: string[] = []
      const sdk = new Mayfly({
        apiKey: node.key, baseUrl: node.url, hooks: { onRetry: ({ error }) => { repeated.push(`${(error as { status?: number }).status}`) } },
      })
      let created: Promise<{ alias: string }> | undefined
      await server.restart(async () => {
        created = sdk.addresses.create({ alias: 'by-sdk' })
        const answers = await Promise.all(calls.map((call) => call()))
        for (const { status, headers, body } of answers) {
          expect([status, headers.get('retry-after'), body]).to.deep.equal([503, '5', unavailable])
        }
        const reply = await sendRaw(node.smtp.port, address, 'Subject: x\r\n\r\ny\r\n').catch((error: Error) => error.message)
        expect(reply).to.match(/^451 4\.3\.0 /)
      })
      const answers = []
      for (const call of calls) answers.push(await call())
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 201, 201, 204])
      expect(answers[2]!.headers.get('idempotency-replayed')).to.equal(null)
      expect((await created!).alias).to.equal('by-sdk')
      expect(repeated).to.include('503')
      await node.send({ to: address, text: 'later' })
      expect(await node.listEmails()).to.have.length(1)
    } finally {
      await server.stop()
    }
  })
})
