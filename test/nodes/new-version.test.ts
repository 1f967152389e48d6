import { expect } from 'chai'
import { openNodes } from '../support/nodes.ts'
import { rawSql } from '../support/store/raw-sql.ts'

describe('Nodes: a new version', function () {

  it('may add tables and columns while nodes of the version before go on; these cannot start again', async () => {
    await using world = await openNodes(1)
    const [node] = world.nodes as [typeof world.nodes[0]]
    /** Changes and reads of all kinds, with a mail. */
    const use = async () => {
      const { id, address } = await node.newAddress()
      await node.send({ to: address, subject: 'Hello', text: 'Your code is 482913.' })
      const email = await node.onlyEmail(id)
      expect(email).to.include({ subject: 'Hello', isRead: false })
      const calls = [
        ['PATCH', `/emails/${email.id}`, { isRead: true }], ['POST', '/emails', { fromAddressId: id, to: 'ada@example.com', subject: 's', body: 'b' }],
        ['POST', '/forwarding-addresses', { email: `${email.id}@example.com` }], ['POST', '/domains', { domain: `a${email.id}.example.org` }],
        ['GET', `/emails/${email.id}`], ['GET', `/emails/${email.id}/raw`], ['GET', '/emails?q=code'], ['GET', `/emails/wait?address_id=${id}&timeout=0`],
        ...['/addresses', `/addresses/${id}`, '/emails', '/forwarding-addresses', '/domains', '/webhooks', '/audit-logs', '/analytics', '/analytics/daily']
          .map((path) => ['GET', path]),
        ['DELETE', `/emails/${email.id}`], ['DELETE', `/addresses/${id}`],
      ] as [string, string, object?][]
      for (const [method, path, body] of calls) {
        const answer = await node.api(method, path, body ? { body } : {})
        expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.be.within(200, 204)
      }
      await node.settled()
    }
    for (let i = 0; i < 5; i++) await use() // statements are prepared on all connections

    const tables = await rawSql<{ name: string }>(node.app.db, `select tablename as name from pg_tables where schemaname = 'public'`)
    for (const { name } of tables) await rawSql(node.app.db, `alter table ${name} add column of_next_version text`)
    await rawSql(node.app.db, `insert into migrations (name, applied_at) values ('9999-next-version', 0)`)
    for (let i = 0; i < 3; i++) await use()
    const error = await world.open().then(() => undefined, (reason: unknown) => String(reason))
    expect(error).to.match(/MAYFLY_DATABASE: was written by a newer Mayfly \(it has 9999-next-version\)\. Start that version\./)
  })
})
