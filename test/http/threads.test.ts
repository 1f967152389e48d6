import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'

describe('Threads of emails', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const arrive = async (to: string, headers: string[]) => {
    const before = new Set((await app.listEmails({ limit: '100' })).map(({ id }) => id))
    await app.send({ envelope: { from: 'ada@example.org', to }, raw: ['From: ada@example.org', ...headers, '', 'Hello', ''].join('\r\n') })
    await app.settled()
    return (await app.listEmails({ limit: '100' })).find(({ id }) => !before.has(id))!.id
  }
  const read = async (id: string) => (await app.api('GET', `/emails/${id}`)).body.data
  const listed = async (query: string) => {
    const { data, total, hasMore } = (await app.api('GET', `/emails?${query}`)).body
    return { ids: data.map(({ id }: { id: string }) => id), total, hasMore }
  }

  it('have all mails of a conversation, received and sent, in whatever order they arrive', async () => {
    const { id: addressId, address } = await app.newAddress()
    const third = await arrive(address, ['Message-ID: <3@a>', 'In-Reply-To: <2@a>', 'References: <1@a> <2@a>'])
    const first = await arrive(address, ['Message-ID: <1@a>'])
    const second = await arrive(address, ['Message-ID: <2@a>', 'In-Reply-To: <1@a>'])
    const other = await arrive(address, ['Message-ID: <9@a>', 'References: <8@a>', 'In-Reply-To: <1@a>'])
    const none = await arrive(address, ['Subject: none'])
    const reply = (await app.api('POST', '/emails', { body: { inReplyToId: second, body: 'Thanks' } })).body.data.id
    const mails = await Promise.all([first, second, third, reply].map(read))
    const { threadId } = mails[0]
    expect(threadId).to.match(/^[0-9a-f]{32}$/)
    expect(mails.map((mail) => mail.threadId)).to.deep.equal(Array(4).fill(threadId))
    expect(mails.map(({ messageId, inReplyTo, references }) => ({ messageId, inReplyTo, references }))).to.deep.equal([
      { messageId: '1@a', inReplyTo: null, references: [] },
      { messageId: '2@a', inReplyTo: '1@a', references: [] },
      { messageId: '3@a', inReplyTo: '2@a', references: ['1@a', '2@a'] },
      { messageId: `${reply}@mail.localhost`, inReplyTo: '2@a', references: ['1@a', '2@a'] },
    ])
    const [apart, alone] = [await read(other), await read(none)]
    expect(new Set([threadId, apart.threadId, alone.threadId]).size).to.equal(3)
    expect(alone).to.deep.include({ messageId: null, inReplyTo: null, references: [] })

    expect(await listed(`thread_id=${threadId}`)).to.deep.equal({ ids: [reply, second, first, third], total: 4, hasMore: false })
    expect(await listed(`thread_id=${threadId}&type=received&limit=2`)).to.deep.equal({ ids: [second, first], total: 3, hasMore: true })
    expect((await listed(`thread_id=${threadId}&before=${second}`)).ids).to.deep.equal([first, third])
    expect((await listed(`thread_id=${threadId}&address_id=${addressId}&q=thanks`)).ids).to.deep.equal([reply])
    expect((await listed(`thread_id=${alone.threadId}`)).ids).to.deep.equal([none])
    await app.api('DELETE', `/emails/${first}`)
    expect((await listed(`thread_id=${threadId}`)).ids).to.deep.equal([reply, second, third])
    expect((await listed(`thread_id=${threadId}&is_deleted=true`)).ids).to.deep.equal([first])
    expect(await listed(`thread_id=${'0'.repeat(32)}`)).to.deep.equal({ ids: [], total: 0, hasMore: false })
    const key = await app.newKey()
    expect((await app.api('GET', `/emails?thread_id=${threadId}`, { key })).body.total).to.equal(0)
    for (const wrong of ['', 'x', threadId.toUpperCase(), `${threadId}0`]) {
      expect((await app.api('GET', `/emails?thread_id=${wrong}`)).body.details[0].path).to.equal('query.thread_id')
    }
  })

  it('show hostile headers within bounds', async () => {
    const { address } = await app.newAddress()
    const ids = Array.from({ length: 3_000 }, (_, i) => `${i}@a`)
    const many = await read(await arrive(address, ['message-id: no-brackets@a', `REFERENCES: ${ids.map((id) => `<${id}>`).join('\r\n ')}`]))
    expect(many).to.deep.include({ messageId: 'no-brackets@a', references: [ids[0], ...ids.slice(-99)] })
    const odd = await read(await arrive(address, [
      'Message-ID: two words', 'In-Reply-To: Your mail of Monday <1@a> <2@a>', `References: ${'<'.repeat(10_000)} <${'x'.repeat(999)}> <a\r\n b@c> <__proto__> <${'y'.repeat(998)}>`,
    ]))
    expect(odd).to.deep.include({ messageId: null, inReplyTo: '1@a', references: ['__proto__', 'y'.repeat(998)] })
  })
})
