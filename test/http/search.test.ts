import { expect } from 'chai'
import fc from 'fast-check'
import { anyText } from '../support/any-text.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { search, subjects } from '../support/search.ts'
import { sendRaw } from '../support/send-raw.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { repeatEmail } from '../support/store/mails.ts'
import { countRows } from '../support/store/rows.ts'
import { clearIndex, indexed, indexRows } from '../support/store/search-index.ts'

const raw = (subject: string, charset: string, body: string | number[]) => Buffer.concat([
  Buffer.from(`From: =?utf-8?Q?J=C3=B6rg_M=C3=BCller?= <no-reply@shop.example>\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`),
  Buffer.from(body as string),
  Buffer.from('\r\n'),
])

describe('Search: GET /emails?q=', () => {
  const newAccount = shareTestApp()

  describe('finds a mail', () => {
    let app: TestApp
    const mails = [
      raw('Your code', 'utf-8', 'Your confirmation code is 482913. See https://shop.example/confirm'),
      raw('koi8', 'koi8-r', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, 0x2c, 0x20, 0xcd, 0xc9, 0xd2]),
      raw('gb', 'gb18030', [0xc4, 0xfa, 0xb5, 0xc4, 0xc8, 0xb7, 0xc8, 0xcf, 0xc2, 0xeb, 0x31, 0x32]),
      raw('japanese', 'utf-8', '認証コードは九八です'),
      raw('korean', 'utf-8', '인증코드를 확인하세요'),
      raw('thai', 'utf-8', 'รหัสยืนยันของคุณ'),
    ]
    const found: [string, string[]][] = [
      ['482913', ['Your code']], ['4829', ['Your code']], ['CONFIRM', ['Your code']], ['code your 48', ['Your code']],
      ['shop.example/conf', ['Your code']], ['82913', []], ['confirmations', []], ['code absent', []],
      ['Привет', ['koi8']], ['прив МИР', ['koi8']],
      ['确认', ['gb']], ['认码', ['gb']], ['码', ['gb']], ['码认', []], ['确认码12', ['gb']],
      ['認証', ['japanese']], ['コード', ['japanese']], ['코드', ['korean']], ['확인 인증', ['korean']], ['ยืนยัน', ['thai']],
      ['jörg', ['thai', 'korean', 'japanese', 'gb', 'koi8', 'Your code']],
      ['muller no-reply@shop.example thai', ['thai']], ['no-rep gb', ['gb']], ['reply-no', []],
    ]
    before(async () => {
      app = await newAccount()
      const { address } = await app.newAddress()
      for (const mail of mails) await sendRaw(app.smtp.port, address, mail)
    })

    for (const when of ['at once', 'once it is indexed']) {
      it(`by its words, in any script, ${when}`, async () => {
        if (when !== 'at once') await indexed(app)
        for (const [q, wanted] of found) expect(subjects(await search(app, q)), q).to.deep.equal(wanted)
      })
    }

    it('by an internationalized domain of its sender, as A-labels and as U-labels', async () => {
      const account = await newAccount()
      const { address } = await account.newAddress()
      for (const domain of ['bücher.example', 'xn--bcher-kva.example']) {
        await sendRaw(account.smtp.port, address, `From: shop@${domain}\r\nSubject: ${domain}\r\n\r\nHello\r\n`)
      }
      const queries = ['from:bücher', 'from:xn--bcher-kva.example', '"shop@bücher.example"', 'shop@xn--bcher-kva.example', 'from:"xn--bcher-kva.example"']
      for (const when of ['at once', 'once it is indexed']) {
        if (when !== 'at once') await indexed(account)
        for (const q of queries) expect(subjects(await search(account, q)), `${q}, ${when}`).to.have.length(2)
      }
    })

    it('with any text as the query', async () => {
      for (const q of ['"', '*', '-', ':', '()', '🎉', '.', '%', '\u0301']) expect((await search(app, q)).total, q).to.equal(0)
      for (const q of ['"482913"', '482913*', 'code :482913', '(482913)', 'code " 482913']) {
        expect((await search(app, q)).total, q).to.equal(1)
      }
      for (const q of ['code NOT 482913', 'code AND 482913', 'NEAR(code 482913)', 'code -482913']) expect((await search(app, q)).total, q).to.equal(0)
      const syntax = fc.constantFrom('from:', '-', 'is:read', 'larger:1', '"', '\'', '*', '^', ':', '-', '+', '(', ')', '{', '}', ' ', '.', '@', ',', '%', 'NEAR', ' AND ', ' OR ', ' NOT ', 'code', '1.', '1.@sent', '码', 'ﷺ', 'İ', '\u0301')
      const text = fc.array(fc.oneof(syntax, anyText(5)), { minLength: 1, maxLength: 40 })
      await fc.assert(fc.asyncProperty(text, async (parts) => {
        const q = [...parts.join('').replaceAll('\0', '')].slice(0, 150).join('')
        if (q === '') return
        const { status, body } = await app.api('GET', `/emails?${new URLSearchParams({ q })}`)
        if (status !== 200) expect([status, body.details[0].path], q).to.deep.equal([400, 'query.q'])
      }), { numRuns: 300 })
    })
  })

  it('lists newest first, page by page, with every filter, like the list without a search', async () => {
    const app = await newAccount()
    const addresses = [await app.newAddress(), await app.newAddress()]
    for (let i = 0; i < 30; i++) {
      if (i === 20) await indexed(app) // the last ten mails may be found without the index
      if (i % 5 === 0) await app.advance({ seconds: 1 })
      await app.send({ to: addresses[i % 2]!.address, subject: `mail ${i}`, text: 'word' })
    }
    const sent = { fromAddressId: addresses[0]!.id, to: 'carol@world.example', subject: 'sent', body: 'word' }
    await app.api('POST', '/emails', { body: sent })
    await app.settled()
    for (const mail of (await app.listEmails({ limit: '100' })).filter((_, i) => i % 7 === 0)) await app.api('DELETE', `/emails/${mail.id}`)
    const middle = (await app.listEmails({ limit: '100' }))[10]!.id

    for (const when of ['before', 'after']) {
      if (when === 'after') await indexed(app)
      for (const filter of [
        {}, { address_id: addresses[0]!.id }, { type: 'sent' }, { type: 'received', address_id: addresses[1]!.id }, { is_deleted: 'true' },
        { after: middle }, { after: middle, is_deleted: 'true', type: 'received' },
      ] as Record<string, string>[]) {
        const all = (await app.listEmails({ ...filter, limit: '100' })).map(({ id }) => id)
        const label = `${when} ${JSON.stringify(filter)}`
        const found: string[] = []
        for (let offset = 0; ; offset += 4) {
          const page = await search(app, 'wor', { ...filter, limit: '4', offset: String(offset) })
          expect(page.total, label).to.equal(all.length)
          expect(page.hasMore, label).to.equal(offset + page.data.length < all.length)
          found.push(...page.data.map(({ id }) => id))
          if (!page.hasMore) break
        }
        expect(found, label).to.deep.equal(all)
      }
      expect(subjects(await search(app, 'carol@world.example', { is_deleted: 'true' }))
        .concat(subjects(await search(app, 'carol')))).to.deep.equal(['sent'])
    }
  })

  it('finds no mail of other accounts', async () => {
    const app = await newAccount()
    const other = await app.newKey()
    const test = await app.newKey({ account: (await ownerOf(app)).accountId, isTest: true })
    const keys = [app.key, other, test]
    for (const [i, key] of keys.entries()) {
      const { body } = await app.api('POST', '/addresses', { key, body: {} })
      await app.send({ to: body.data.address, subject: `of ${i}`, text: 'secret' })
    }
    for (const when of ['before', 'after']) {
      if (when === 'after') await indexed(app)
      for (const [i, key] of keys.entries()) expect(subjects(await search(app, 'secret', {}, key)), when).to.deep.equal([`of ${i}`])
    }
    const [foreign] = (await app.api('GET', '/addresses', { key: other })).body.data.addresses
    expect((await search(app, 'secret', { address_id: foreign.id })).total).to.equal(0)
  })

  it('removes the text of removed mail from the index', async () => {
    await using app = await openTestApp()
    const [address, kept] = [await app.newAddress(), await app.newAddress()]
    for (let i = 0; i < 12; i++) await app.send({ to: address.address, subject: 'gone', text: 'word' })
    await indexed(app)
    await app.send({ to: address.address, cc: kept.address, subject: 'shared', text: 'word' })
    await app.api('DELETE', `/addresses/${address.id}`)
    expect(subjects(await search(app, 'word'))).to.deep.equal(['shared'])
    await app.settled()
    await indexed(app)
    expect([await indexRows(app), await countRows(app, 'emails')]).to.deep.equal([[1], 1])
  })

  it('indexes at the start of the server the mail that is not indexed yet', async () => {
    await using first = await openTestApp()
    const { address } = await first.newAddress()
    await first.send({ to: address, subject: 'before', text: 'word' })
    await indexed(first)
    await first.app.close()
    const { database } = first.app.config
    await using app = await openTestApp({ database })
    await clearIndex(app)
    await app.app.close()
    await using again = await openTestApp({ database })
    await indexed(again)
    expect(subjects(await search(again, 'word', {}, first.key))).to.deep.equal(['before'])
    expect(await indexRows(again)).to.deep.equal([1])
  })

  it('searches the first 65,536 characters of a text, and has a total of at most 1,000', async function () {
    const app = await newAccount()
    const { address } = await app.newAddress()
    await app.send({ to: address, subject: 'long', text: `${'a '.repeat(30_000)} early ${'a '.repeat(5_000)} late` })
    await app.settled()
    expect([(await search(app, 'early')).total, (await search(app, 'late')).total]).to.deep.equal([1, 0])

    const short = await app.newAddress()
    await app.send({ to: short.address, text: 'early' })
    await repeatEmail(app, short.id, 1_100)
    await indexed(app)
    expect(await search(app, 'early', { address_id: short.id, limit: '1' })).to.deep.include({ total: 1_000, hasMore: true })
    expect(await search(app, 'early', { limit: '100', offset: '1000' })).to.deep.include({ total: 1_000, hasMore: true })
    const last = await search(app, 'early', { limit: '100', offset: '1002' })
    expect([last.data.length, last.hasMore]).to.deep.equal([100, false])
  })
})
