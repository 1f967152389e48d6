import { expect } from 'chai'
import { simpleParser } from 'mailparser'
import { sendEmail, shareSendingWorld } from './world.ts'
import type { SendingWorld } from './world.ts'

describe('Sending an email: replies', () => {
  const newWorld = shareSendingWorld()
  let world: SendingWorld

  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  /** Receives a mail at the address to send from. @returns its id */
  const receive = async (headers: string[], sender = 'ada@example.org') => {
    const lines = headers.some((line) => line.startsWith('From:')) ? headers : ['From: Ada <ada@example.org>', ...headers]
    await world.app.send({ envelope: { from: sender, to: world.from.address }, raw: `${lines.join('\r\n')}\r\n\r\nHello\r\n` })
    await world.app.settled()
    return (await world.app.api('GET', `/emails?address_id=${world.from.id}&type=received&limit=1`)).body.data[0].id as string
  }
  const reply = (body: Record<string, unknown>, key = world.app.key) =>
    world.app.api('POST', '/emails', { key, body: { body: 'Thank you.', ...body } })
  const replied = async (inReplyToId: string, changes: Record<string, unknown> = {}) => {
    world.receiver.reset()
    const answer = await reply({ inReplyToId, ...changes })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(202)
    await world.app.settled()
    const mail = world.receiver.mails[0]!
    return { parsed: await simpleParser(mail.source), mail }
  }

  it('goes from the address that received the email to its sender, with its subject and references', async () => {
    const parent = await receive(['Subject: Your order', 'Message-ID: <3@shop.example>', 'In-Reply-To: <2@shop.example>', 'References: <1@shop.example>', ' <2@shop.example>'])
    const { parsed, mail } = await replied(parent)
    expect(mail.recipients).to.deep.equal(['ada@example.org'])
    expect(parsed).to.deep.include({ subject: 'Re: Your order', inReplyTo: '<3@shop.example>', references: ['<1@shop.example>', '<2@shop.example>', '<3@shop.example>'] })
    expect(parsed.from!.text).to.equal(world.from.address)
  })

  it('follows Reply-To, and what the request names', async () => {
    const parent = await receive(['Subject: s', 'Message-ID: <1@a>', 'Reply-To: "Desk, the" <desk@example.org>, b@example.org'])
    expect((await replied(parent)).mail.recipients).to.deep.equal(['desk@example.org'])
    const other = await world.app.newAddress()
    const { parsed, mail } = await replied(parent, { to: 'eve@example.org', subject: 'Other', fromAddressId: other.id })
    expect([mail.recipients, parsed.subject, parsed.from!.text]).to.deep.equal([['eve@example.org'], 'Other', other.address])
    expect(parsed.inReplyTo).to.equal('<1@a>')
  })

  it('answers an email that was sent to its recipient, in its thread', async () => {
    const sent = await sendEmail(world.app, world.from.id, { to: 'bob@example.org', subject: 'Order' })
    await world.app.settled()
    const { parsed, mail } = await replied(sent.id)
    expect([mail.recipients, parsed.subject, parsed.inReplyTo]).to.deep.equal([['bob@example.org'], 'Re: Order', `<${sent.id}@mail.localhost>`])
  })

  it('has one Re: before the subject, whatever the language of those before', async () => {
    for (const [subject, expected] of [
      ['RE: Re: Order', 'Re: Order'], ['AW: Bestellung', 'Re: Bestellung'], ['SV:Ordre', 'Re: Ordre'], ['Re[2]: Order', 'Re: Order'],
      ['RE : Commande', 'Re: Commande'], ['=?utf-8?B?5Zue5aSN77ya6K6i5Y2V?=', 'Re: 订单'], ['Recipe: cake', 'Re: Recipe: cake'], ['', 'Re:'],
      ['Fwd: Order', 'Re: Fwd: Order'], [`${'x'.repeat(300)}`, `Re: ${'x'.repeat(196)}`], ['=?utf-8?Q?a=0D=0ABcc=3A_eve@example.org?=', 'Re: a Bcc: eve@example.org'],
    ]) {
      const { parsed, mail } = await replied(await receive([`Subject: ${subject}`, 'Message-ID: <1@a>']))
      expect(parsed.subject, subject).to.equal(expected)
      expect(mail.recipients).to.deep.equal(['ada@example.org'])
    }
  })

  it('takes In-Reply-To where there are no references, and no hostile ids', async () => {
    const headersOf = async (headers: string[]) => {
      const { inReplyTo, references } = (await replied(await receive(headers))).parsed
      return { inReplyTo, references }
    }
    expect(await headersOf(['Message-ID: <2@a>', 'In-Reply-To: <1@a>'])).to.deep.equal({ inReplyTo: '<2@a>', references: ['<1@a>', '<2@a>'] })
    expect(await headersOf(['Subject: none'])).to.deep.equal({ inReplyTo: undefined, references: undefined })
    expect(await headersOf([`Message-ID: <${'x'.repeat(990)}@a>`])).to.deep.equal({ inReplyTo: undefined, references: undefined })
    expect(await headersOf(['Message-ID: <2@a>', 'References: <<><1@a> <a b@c> <ü@a> x <<1>> <1@a'])).to.deep
      .equal({ inReplyTo: '<2@a>', references: ['<1@a>', '<1>', '<2@a>'] })
  })

  it('shortens references from the middle, to 100 ids and 8,000 characters', async () => {
    const ids = (count: number, length: number) => Array.from({ length: count }, (_, i) => `<${String(i).padStart(length, '0')}@a>`)
    const many = ids(150, 4)
    const { references } = (await replied(await receive(['Message-ID: <me@a>', `References: ${many.join('\r\n ')}`]))).parsed
    expect(references).to.deep.equal([many[0], ...many.slice(-98), '<me@a>'])
    const long = ids(60, 500)
    const { parsed, mail } = await replied(await receive(['Message-ID: <me@a>', `References: ${long.join('\r\n ')}`]))
    expect(parsed.references).to.deep.equal([long[0], ...long.slice(-14), '<me@a>'])
    expect(mail.sourceText.split('\r\n').every((line) => line.length <= 998)).to.equal(true)
  })

  it('is refused for an email of another account or mode, one that is deleted, and to a key that may not read', async () => {
    const { app } = world
    const parent = await receive(['Subject: s', 'Message-ID: <1@a>'])
    const unknown = { error: 'body.inReplyToId: There is no email with this id.', code: 'NOT_FOUND' }
    const own = { fromAddressId: world.from.id, to: 'ada@example.org', subject: 's' }
    for (const answer of [
      await reply({ inReplyToId: parent }, await app.newKey()),
      await reply({ inReplyToId: parent }, await app.newKey({ account: app.account, isTest: true })),
      await reply({ inReplyToId: crypto.randomUUID(), ...own }),
    ]) expect([answer.status, answer.body]).to.deep.equal([404, unknown])
    const blind = await app.newKey({ scopes: ['emails:write'], account: app.account })
    const refused = await reply({ inReplyToId: parent, ...own }, blind)
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'MISSING_SCOPE'])
    expect((await reply(own, blind)).status).to.equal(202)
    await app.api('DELETE', `/emails/${parent}`)
    expect((await reply({ inReplyToId: parent })).body).to.deep.equal(unknown)
  })

  it('needs all members without an email to answer, and a recipient where that has none', async () => {
    const missing = await reply({})
    expect([missing.status, missing.body.details.map(({ path }: { path: string }) => path)])
      .to.deep.equal([400, ['body.fromAddressId', 'body.to', 'body.subject']])
    const parent = await receive(['From: undisclosed', 'Subject: s', 'Message-ID: <1@a>'], '')
    const answer = await reply({ inReplyToId: parent })
    expect([answer.status, answer.body.details?.[0].path]).to.deep.equal([400, 'body.to'])
  })
})
