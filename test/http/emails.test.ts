import { expect } from 'chai'
import type { EmailSummary } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { playSession } from '../support/play-session.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { emitted } from '../support/store/events.ts'
import { delivery, hello } from '../smtp/mailbox.ts'

const nowhere = '019c0000-0000-7000-8000-000000000000'

describe('Emails', () => {
  let app: TestApp
  /** A key of a new account for each test, which has one address. */
  let key: string
  let address: { id: string, address: string }

  before(async () => { app = await openTestApp() })
  beforeEach(async () => {
    key = await app.newKey()
    address = await newAddress()
  })
  after(() => app[Symbol.asyncDispose]())

  const api = (method: string, path: string, body?: unknown) => app.api(method, path, { key, body })
  const newAddress = async (): Promise<{ id: string, address: string }> => (await api('POST', '/addresses', {})).body.data
  const list = async (query: Record<string, string> = {}) => (await api('GET', `/emails?${new URLSearchParams(query)}`)).body
  const subjects = async (query: Record<string, string> = {}) => (await list(query)).data.map(({ subject }: EmailSummary) => subject)
  const detail = async (id: string) => (await api('GET', `/emails/${id}`)).body.data
  const arrive = async (subject: string, to: string | string[] = address.address) => {
    await app.send({ to, subject, text: `about ${subject}` })
    await app.settled()
  }
  /** Delivers mails with these subjects, and returns the emails in that order. */
  const arriveAll = async (...all: string[]): Promise<EmailSummary[]> => {
    for (const subject of all) await arrive(subject)
    return (await list()).data.reverse()
  }

  describe('a list item', () => {
    it('has every field', async () => {
      await app.advance({ seconds: 11 })
      await app.send({
        from: 'Example Shop <No-Reply@Shop.example>', to: address.address, subject: 'Your code: 482913',
        text: 'Hello,\n\n  your   code is\t482913.\n', html: '<p>482913</p>', attachments: [{ filename: 'a.txt', content: 'a' }],
      })
      await app.settled()
      const page = await list()
      expect(page).to.deep.equal({
        data: [{
          id: page.data[0].id,
          addressId: address.id,
          type: 'received',
          from: page.data[0].from,
          fromName: 'Example Shop',
          to: address.address,
          subject: 'Your code: 482913',
          preview: 'Hello, your code is 482913.',
          bodyText: 'Hello,\n\n  your   code is\t482913.\n',
          bodyHtml: '<p>482913</p>',
          isTruncated: false,
          recipientsTotal: 1,
          isRead: false,
          isStarred: false,
          isDeleted: false,
          receivedAt: new Date(app.app.clock.now()).toISOString(),
          codes: ['482913'],
          hasAttachments: true,
          linkHost: null,
          status: null,
        }],
        total: 1, limit: 50, offset: 0, hasMore: false, cursor: page.cursor, serverTime: '2026-03-14T09:00:11.000Z',
      })
      expect(page.data[0].from.toLowerCase()).to.equal('no-reply@shop.example')
      expect(page.cursor > page.data[0].id).to.equal(true)
    })

    it('has empty strings for missing parts of a mail, and the sender of the envelope', async () => {
      await playSession(app.smtp, [hello, ...delivery(address.address, '\r\n')])
      await app.settled()
      const [email] = (await list()).data
      expect(email).to.include({
        from: 'shop@example.org', fromName: '', subject: '', preview: '', bodyHtml: '', isTruncated: false, hasAttachments: false, status: null,
      })
      expect(email.bodyText.trim()).to.equal('')
    })

    for (const [url, host] of [
      ['https://shop.example/confirm?t=1', 'shop.example'], ['http://Shop.Example:8080', 'shop.example:8080'], ['https://münchen.example/a', 'xn--mnchen-3ya.example'],
      ['https://shop.example@other.example/', 'other.example'], [`https://${'a'.repeat(290)}@other.example/`, null], ['https://[2001:db8::1]/', '[2001:db8::1]'],
      [`https://shop.example/?${'q'.repeat(2_000)}`, 'shop.example'],
    ] as const) {
      it(`has the host ${host} of the link ${url.slice(0, 40)}`, async () => {
        await app.send({ to: address.address, subject: 'Confirm', html: `<a href="${url}">Confirm your address</a>` })
        await app.settled()
        const [{ id, linkHost }] = (await list()).data
        expect((await detail(id)).links).to.have.length(1)
        expect(linkHost).to.equal(host)
      })
    }

    for (const [length, isTruncated] of [[1_000, false], [1_001, true], [17_000, true], [400_000, true]] as const) {
      it(`has at most 1,000 of ${length} characters, and the email has all`, async () => {
        const [text, html] = ['t'.repeat(length), 'h'.repeat(length)]
        await app.send({ to: address.address, text, html })
        await app.settled()
        const [email] = (await list()).data
        expect(email.isTruncated).to.equal(isTruncated)
        expect(email.bodyText).to.equal(text.slice(0, 1_000))
        expect(email.bodyHtml).to.equal(html.slice(0, 1_000))
        expect(email.preview).to.equal('t'.repeat(200))
        const whole = await detail(email.id)
        expect(whole.bodyText.trimEnd() === text).to.equal(true)
        expect(whole.bodyHtml.trimEnd() === html).to.equal(true)
      })
    }

    it('has the codes of the email, also of a long one, and where a search finds it', async () => {
      for (const text of ['Your code is 482913. Your PIN is 7741.', `Your code is 482913.\n${'word '.repeat(5_000)}\nYour PIN is 7741.`]) {
        await app.send({ to: address.address, subject: 'codes', text })
      }
      await app.settled()
      const listed: EmailSummary[] = (await list()).data
      expect(listed.map(({ codes }) => codes)).to.deep.equal([['482913', '7741'], ['482913', '7741']])
      for (const { id, codes } of listed) expect((await detail(id)).codes).to.deep.equal(codes)
      expect((await list({ q: 'codes' })).data.map(({ codes }: EmailSummary) => codes)).to.deep.equal(listed.map(({ codes }) => codes))
    })

    it('is not cut between the halves of a surrogate pair', async () => {
      await app.send({ to: address.address, text: `${'a'.repeat(997)}😀${'b'.repeat(9)}`, html: `${'a'.repeat(199)}😀` })
      await app.send({ to: address.address, subject: 'preview', text: `${'a'.repeat(199)}😀😀` })
      await app.settled()
      const [previewed, long] = (await list()).data
      expect(long.bodyText.length).to.be.at.most(1_000)
      expect(long.bodyText).to.equal('a'.repeat(997))
      for (const text of [long.bodyText, previewed.preview]) expect(text.isWellFormed()).to.equal(true)
      expect(previewed.preview.slice(0, 199)).to.equal('a'.repeat(199))
    })
  })

  describe('list', () => {
    it('shows the newest first, page by page', async () => {
      await arriveAll('1', '2', '3', '4', '5')
      expect(await subjects()).to.deep.equal(['5', '4', '3', '2', '1'])
      expect(await subjects({ limit: '2' })).to.deep.equal(['5', '4'])
      expect(await list({ limit: '2' })).to.include({ total: 5, limit: 2, offset: 0, hasMore: true })
      expect(await subjects({ limit: '2', offset: '2' })).to.deep.equal(['3', '2'])
      expect(await list({ limit: '2', offset: '4' })).to.include({ total: 5, limit: 2, offset: 4, hasMore: false })
      expect(await list({ limit: '2', offset: '3' })).to.include({ hasMore: false })
      expect(await list({ offset: '5' })).to.deep.include({ data: [], total: 5, limit: 50, hasMore: false })
    })

    it('filters by address, with address_id and addressId', async () => {
      const other = await newAddress()
      await arrive('for one')
      await arrive('for the other', other.address)
      await arrive('for both', [address.address, other.address])
      expect(await subjects()).to.have.length(4)
      for (const spelling of ['address_id', 'addressId']) {
        expect(await subjects({ [spelling]: address.id })).to.deep.equal(['for both', 'for one'])
        expect(await list({ [spelling]: other.id, limit: '1' })).to.include({ total: 2, hasMore: true })
        expect(await subjects({ [spelling]: other.id.toUpperCase() })).to.deep.equal(['for both', 'for the other'])
      }
      expect(await subjects({ address_id: other.id, addressId: other.id })).to.deep.equal(['for both', 'for the other'])
      const differing = await api('GET', `/emails?address_id=${address.id}&addressId=${other.id}`)
      expect(differing.status).to.equal(400)
      expect(differing.body).to.deep.equal({
        error: 'query.addressId: differs from query.address_id; give one of them.',
        code: 'INVALID_REQUEST',
        details: [{ path: 'query.addressId', message: 'differs from query.address_id; give one of them' }],
      })
    })

    it('filters by type: received or sent', async () => {
      await arrive('received')
      expect(await subjects({ type: 'received' })).to.deep.equal(['received'])
      expect(await list({ type: 'sent' })).to.deep.include({ data: [], total: 0, hasMore: false })
      expect(await subjects({ type: 'received', address_id: address.id })).to.deep.equal(['received'])
      expect(await list({ type: 'sent', address_id: address.id })).to.deep.include({ data: [], total: 0 })
      expect((await api('GET', '/emails?type=draft')).body.details).to.deep.equal([
        { path: 'query.type', message: 'must be one of received, sent' },
      ])
    })

    it('shows deleted emails instead of the others with is_deleted=true', async () => {
      const [one, , three] = await arriveAll('one', 'two', 'three')
      for (const email of [one!, three!]) await api('DELETE', `/emails/${email.id}`)
      for (const query of [{}, { address_id: address.id }, { type: 'received' }] as Record<string, string>[]) {
        expect(await subjects(query)).to.deep.equal(['two'])
        expect(await subjects({ ...query, is_deleted: 'false' })).to.deep.equal(['two'])
        expect(await subjects({ ...query, is_deleted: 'true' })).to.deep.equal(['three', 'one'])
        expect(await list(query)).to.include({ total: 1, hasMore: false })
        expect(await list({ ...query, is_deleted: 'true', limit: '1' })).to.include({ total: 2, hasMore: true })
      }
      for (const value of ['1', 'yes', 'TRUE', '']) expect((await api('GET', `/emails?is_deleted=${value}`)).status).to.equal(400)
    })

    it('filters by `after`, the id of an email', async () => {
      const [one, two, three] = await arriveAll('one', 'two', 'three')
      for (const more of [{}, { address_id: address.id }, { type: 'received' }, { is_deleted: 'false' }] as Record<string, string>[]) {
        expect(await subjects({ after: one!.id, ...more })).to.deep.equal(['three', 'two'])
        expect(await subjects({ after: two!.id, ...more })).to.deep.equal(['three'])
        expect(await list({ after: three!.id, ...more })).to.deep.include({ data: [], total: 0, hasMore: false })
        expect(await list({ after: one!.id, limit: '1', ...more })).to.include({ total: 2, hasMore: true })
        expect(await subjects({ after: one!.id, limit: '1', offset: '1', ...more })).to.deep.equal(['two'])
      }
      expect(await subjects({ after: one!.id.toUpperCase() })).to.deep.equal(['three', 'two'])
      expect(await subjects({ after: nowhere })).to.deep.equal(['three', 'two', 'one'])
      await api('DELETE', `/emails/${two!.id}`)
      expect(await subjects({ after: one!.id })).to.deep.equal(['three'])
      expect(await subjects({ after: one!.id, is_deleted: 'true' })).to.deep.equal(['two'])
    })

    it('filters by `after`, a cursor, also within the same millisecond', async () => {
      const { cursor: first } = await list()
      await arrive('one')
      expect(await subjects({ after: first })).to.deep.equal(['one'])
      const { cursor: second } = await list({ address_id: address.id, limit: '1' })
      expect(await subjects({ after: second })).to.deep.equal([])
      await arrive('two')
      expect(await subjects({ after: second })).to.deep.equal(['two'])
      expect(await subjects({ after: first })).to.deep.equal(['two', 'one'])
    })

    it('refuses a malformed cursor', async () => {
      for (const after of ['', 'x', '0', 'c1-', 'c1-x', 'C1-1', nowhere.slice(1)]) {
        expect((await api('GET', `/emails?after=${after}`)).body.details).to.deep.equal([
          { path: 'query.after', message: 'does not fit: An id or a cursor' },
        ])
      }
    })
  })

  describe('get', () => {
    it('has hiddenText where a mail has text that a reader does not see, which is in no other field but bodyHtml', async () => {
      const html = '<style>.a{display:none}</style><p class=a>Your code is 999111. <a href="https://shop.example/999111">Go</a></p><p>Your code is 482913.</p>'
      await app.send({ to: address.address, subject: 'Sign in', html })
      const [item] = (await list()).data
      const { hiddenText, codes, links, bodyText, bodyHtml } = await detail(item.id)
      expect({ hiddenText, codes, links, bodyText, preview: item.preview }).to.deep.equal({
        hiddenText: true, codes: ['482913'], links: [], bodyText: 'Your code is 482913.', preview: 'Your code is 482913.',
      })
      expect(bodyHtml.trim()).to.equal(html)
    })

    it('has Unicode tags of a text part in its subject and bodyText as they were sent, and in no other field', async () => {
      const tags = Array.from('Your code is 999111.', (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')
      const [subject, text] = [`Sign in${tags}`, `Your code is 482913.${tags}`]
      await app.send({ to: address.address, subject, text })
      const [item] = (await list()).data
      const { hiddenText, codes, links, bodyText, bodyHtml } = await detail(item.id)
      const found = { hiddenText, codes, links, subject: item.subject, bodyText: bodyText.trim(), bodyHtml, preview: item.preview }
      expect(found).to.deep.equal({
        hiddenText: true, codes: ['482913'], links: [], subject, bodyText: text, bodyHtml: '', preview: 'Your code is 482913.',
      })
    })

    it('has a warning where its HTML shows another code than its text, and no member beside those of the contract', async () => {
      await app.send({ to: address.address, subject: 'Sign in', text: 'Your code is 111111.', html: '<p>Your code is 482913.</p>' })
      const { warnings, codes, ...members } = await detail((await list()).data[0].id)
      expect({ warnings, codes }).to.deep.equal({
        warnings: [{ type: 'otherCode', fields: ['bodyText', 'bodyHtml'], url: null, host: null, namedHost: null }], codes: ['111111'],
      })
      expect(members).not.to.have.property('hasOtherCode')
    })

    it('has warnings, the hosts of links, and what it says of its codes, in waits too and however long its HTML is', async () => {
      const padding = `<!-- ${'x'.repeat(20_000)} -->`
      const html = `<p hidden>Forward this.</p><p>Your code is 482913. It expires in 10 minutes.</p>
        <a href="https://evil.example:8443/login">www.bank.example</a> <a href="https://b\u00fccher.example/">Books</a>${padding}<p>a&#xe0041;b</p><p>@bank.example #482913</p>`
      await app.send({ to: address.address, subject: 'Sign in', html })
      const [item] = (await list()).data
      const { warnings, links, hiddenText, codeDetails, bodyHtml } = await detail(item.id)
      const link = { url: 'https://evil.example:8443/login', host: 'evil.example:8443' }
      const none = { url: null, host: null, namedHost: null }
      const expected = {
        warnings: [
          { type: 'hiddenText', fields: ['bodyHtml'], ...none }, { type: 'invisibleCharacters', fields: ['bodyHtml'], ...none },
          { type: 'otherHost', fields: ['links'], ...link, namedHost: 'www.bank.example' },
        ],
        links: [{ ...link, text: 'www.bank.example' }, { url: 'https://b\u00fccher.example/', host: 'xn--bcher-kva.example', text: 'Books' }],
        hiddenText: true,
        codeDetails: [{ code: '482913', expiresInSeconds: 600, boundTo: 'bank.example' }],
      }
      expect({ warnings, links, hiddenText, codeDetails }).to.deep.equal(expected)
      expect(bodyHtml).to.include(padding)
      const { data } = (await api('GET', `/emails/wait?addressId=${address.id}&after=c1-0`)).body
      expect(data).to.deep.include(expected)
      for (const name of Object.keys(expected)) expect(item).not.to.have.property(name)
    })

    it('has no invisible characters in the preview of a list', async () => {
      await app.send({ to: address.address, subject: 'Sign in', text: 'Your c\u00adode is 48\u200b2913.' })
      expect((await list()).data[0].preview).to.equal('Your code is 482913.')
    })

    it('has every field', async () => {
      await playSession(app.smtp, [hello, ...delivery(address.address.replace('@', '+News@'), [
        'From: "Example Shop" <no-reply@shop.example>', 'To: you@example.org', 'Subject: =?utf-8?q?K=C3=A4se?=', 'X-Note: one', 'x-note: two',
        'X-Folded: a', '\tb', 'MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8', '',
        '<p>Your code is <b>482913</b>. <a href="https://shop.example/confirm?t=1">Confirm</a></p>', '',
      ].join('\r\n'))])
      await app.settled()
      const [{ id }] = (await list()).data
      const email = await detail(id)
      expect(email).to.deep.equal({
        id,
        addressId: address.id,
        type: 'received',
        from: 'no-reply@shop.example',
        fromName: 'Example Shop',
        to: address.address.replace('@', '+news@'),
        subject: 'Käse',
        bodyText: email.bodyText,
        bodyHtml: '<p>Your code is <b>482913</b>. <a href="https://shop.example/confirm?t=1">Confirm</a></p>\n',
        isRead: false,
        isStarred: false,
        isDeleted: false,
        receivedAt: new Date(app.app.clock.now()).toISOString(),
        attachments: [],
        headers: email.headers,
        codes: ['482913'],
        links: [{ url: 'https://shop.example/confirm?t=1', host: 'shop.example', text: 'Confirm' }],
        hiddenText: false,
        messageId: null,
        inReplyTo: null,
        references: [],
        threadId: email.threadId,
        warnings: [],
        codeDetails: [{ code: '482913', expiresInSeconds: null, boundTo: null }],
        status: null,
        sentAt: null,
        failureReason: null,
        authentication: {
          spf: { result: 'none', domain: 'example.org' },
          dkim: [],
          dmarc: { result: 'none', domain: 'shop.example', policy: null },
        },
        forwarding: null,
        envelope: { from: 'shop@example.org', to: address.address.replace('@', '+news@'), via: 'address' },
        recipients: [address.address.replace('@', '+news@')],
        recipientsTotal: 1,
        size: (await api('GET', `/emails/${id}/raw`)).body.length,
      })
      expect(email.headers).to.include({
        'From': '"Example Shop" <no-reply@shop.example>', 'Subject': '=?utf-8?q?K=C3=A4se?=', 'X-Note': 'one\ntwo', 'MIME-Version': '1.0',
      })
      expect(email.threadId).to.match(/^[0-9a-f]{32}$/)
      expect(email.headers['X-Folded'].replace(/\s+/, ' ')).to.equal('a b')
    })

    it('does not mark as read', async () => {
      const [email] = await arriveAll('unread')
      await detail(email!.id)
      await api('GET', `/emails/${email!.id}/raw`)
      expect(await detail(email!.id)).to.include({ isRead: false })
    })

    it('answers an unknown id with 404, in every operation on an email', async () => {
      for (const [method, path, body] of [
        ['GET', '', undefined], ['PATCH', '', { isRead: true }], ['DELETE', '', undefined], ['GET', '/raw', undefined],
      ] as const) {
        const answer = await api(method, `/emails/${nowhere}${path}`, body)
        expect(answer.status).to.equal(404)
        expect(answer.body).to.deep.equal({ error: 'There is no email with this id.', code: 'NOT_FOUND' })
      }
    })
  })

  describe('update', () => {
    it('sets isRead and isStarred independently', async () => {
      const [email] = await arriveAll('marked')
      const path = `/emails/${email!.id}`
      const before = await detail(email!.id)
      for (const [body, isRead, isStarred] of [
        [{ isRead: true }, true, false], [{ isStarred: true }, true, true], [{ isRead: false }, false, true],
        [{ isRead: true, isStarred: false }, true, false], [{ isRead: true }, true, false],
      ] as const) {
        const answer = await api('PATCH', path, body)
        expect(answer.status).to.equal(200)
        expect(answer.body).to.deep.equal({ data: { ...before, isRead, isStarred } })
        expect(await detail(email!.id)).to.deep.equal({ ...before, isRead, isStarred })
        expect((await list()).data[0]).to.include({ isRead, isStarred })
      }
    })

    it('requires at least one mark, and refuses other members', async () => {
      const [email] = await arriveAll('unmarked')
      const path = `/emails/${email!.id}`
      for (const [body, at] of [
        [{}, 'body'], [{ isRead: null }, 'body.isRead'], [{ isRead: 'true' }, 'body.isRead'], [{ isRead: 1 }, 'body.isRead'],
        [{ isRead: true, subject: 'x' }, 'body.subject'], [{ isDeleted: true }, 'body.isDeleted'], [[], 'body'], [undefined, 'body'],
      ] as const) {
        const answer = await api('PATCH', path, body)
        expect(answer.status, JSON.stringify(body)).to.equal(400)
        expect(answer.body.details[0].path).to.equal(at)
      }
      expect(await detail(email!.id)).to.include({ isRead: false, isStarred: false })
    })

    it('Emails, deleted: PATCH answers 404 and changes nothing', async () => {
      const [email] = await arriveAll('deleted')
      await api('DELETE', `/emails/${email!.id}`)
      const { status, body } = await api('PATCH', `/emails/${email!.id}`, { isStarred: true })
      expect([status, body]).to.deep.equal([404, { error: 'There is no email with this id.', code: 'NOT_FOUND' }])
      expect((await list({ is_deleted: 'true' })).data[0]).to.include({ isStarred: false })
    })
  })

  describe('delete', () => {
    it('Email, present: DELETE email → soft-deleted: off the list, and kept', async () => {
      const [email] = await arriveAll('deleted')
      const whole = await detail(email!.id)
      const answer = await api('DELETE', `/emails/${email!.id}`)
      expect(answer.status).to.equal(200)
      expect(answer.body).to.deep.equal({
        data: { id: email!.id, deleted: true }, message: 'The email is deleted. It can still be listed with is_deleted=true.',
      })
      expect(await list()).to.deep.include({ data: [], total: 0 })
      expect((await list({ is_deleted: 'true' })).data).to.deep.equal([{ ...email, isDeleted: true }])
      expect(await detail(email!.id)).to.deep.equal({ ...whole, isDeleted: true })
      expect((await api('GET', `/emails/${email!.id}/raw`)).status).to.equal(200)
      expect((await api('GET', `/addresses/${address.id}`)).body.data).to.include({ emailCount: 0 })
    })

    it('Emails, deleted: isDeleted is true in the list, in a search and in the email, which can be read until it is purged', async () => {
      const [kept, email] = await arriveAll('kept', 'deleted')
      const path = `/emails/${email!.id}`
      await api('DELETE', path)
      expect((await list()).data[0]).to.include({ id: kept!.id, isDeleted: false })
      for (const query of [{}, { q: 'deleted' }, { address_id: address.id }] as Record<string, string>[]) {
        const { data } = await list({ ...query, is_deleted: 'true' })
        expect(data.map(({ id, isDeleted }: EmailSummary) => [id, isDeleted])).to.deep.equal([[email!.id, true]])
      }
      await app.advance({ days: 6, hours: 23 })
      expect((await api('GET', path)).body.data).to.include({ subject: 'deleted', isDeleted: true })
      await app.advance({ hours: 2 })
      expect((await api('GET', path)).status).to.equal(404)
    })

    it('succeeds once for concurrent requests, with one event', async () => {
      const [email] = await arriveAll('deleted')
      const answers = await Promise.all(Array.from({ length: 5 }, () => api('DELETE', `/emails/${email!.id}`)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404])
      const told = (await emitted(app, 'email.deleted')).filter(({ data }) => (data as { emailId: string }).emailId === email!.id)
      expect(told).to.deep.equal([{
        event: 'email.deleted', mode: 'live', at: new Date(app.app.clock.now()).toISOString(),
        data: { emailId: email!.id, addressId: address.id },
      }])
    })
  })

  describe('restore', () => {
    const restore = (id: string) => api('POST', `/emails/${id}/restore`)
    const counts = async () => {
      const { emailCount, unreadCount } = (await api('GET', `/addresses/${address.id}`)).body.data
      return { emailCount, unreadCount, total: (await list()).total, deleted: (await list({ is_deleted: 'true' })).total }
    }

    it('undoes a deletion: in the list, in a search, and in the counters', async () => {
      const [read, unread] = await arriveAll('read', 'unread')
      await api('PATCH', `/emails/${read!.id}`, { isRead: true })
      const before = [await list({ q: 'about' }), await counts()]
      for (const { id } of [read!, unread!]) {
        await api('DELETE', `/emails/${id}`)
        const answer = await restore(id)
        expect([answer.status, answer.body.data]).to.deep.equal([200, await detail(id)])
        expect(answer.body.data.isDeleted).to.equal(false)
        const after = await list({ q: 'about' })
        expect([{ ...after, cursor: before[0].cursor }, await counts()]).to.deep.equal(before)
      }
      await api('DELETE', `/emails/${read!.id}`)
      expect(await counts()).to.deep.equal({ emailCount: 1, unreadCount: 1, total: 1, deleted: 1 })
    })

    it('leaves an email as it is that is not deleted, and answers 404 to an unknown id, and one of another account', async () => {
      const [email] = await arriveAll('here')
      const before = await counts()
      expect((await restore(email!.id)).body.data).to.include({ id: email!.id, isDeleted: false })
      expect(await counts()).to.deep.equal(before)
      expect((await restore(nowhere)).status).to.equal(404)
      expect((await app.api('POST', `/emails/${email!.id}/restore`)).body.code).to.equal('NOT_FOUND')
    })

    it('counts once for concurrent requests', async () => {
      const [email] = await arriveAll('once')
      await api('DELETE', `/emails/${email!.id}`)
      const answers = await Promise.all(Array.from({ length: 5 }, () => restore(email!.id)))
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200])
      expect(await counts()).to.deep.equal({ emailCount: 1, unreadCount: 1, total: 1, deleted: 0 })
    })

    it('leaves an address with maxEmails no more than these, the newest ones', async () => {
      address = (await api('POST', '/addresses', { maxEmails: 1 })).body.data
      const [old] = await arriveAll('old')
      await api('DELETE', `/emails/${old!.id}`)
      await arrive('new')
      await restore(old!.id)
      await app.settled()
      expect(await subjects({ address_id: address.id })).to.deep.equal(['new'])
    })

    it('shows the marks alone to a key that may not read', async () => {
      const [email] = await arriveAll('marks')
      const { accountId } = await ownerOf(app, key)
      const writer = await app.newKey({ account: accountId, scopes: ['emails:write'] })
      await api('DELETE', `/emails/${email!.id}`)
      const { body } = await app.api('POST', `/emails/${email!.id}/restore`, { key: writer })
      expect(body.data).to.deep.equal({ id: email!.id, isRead: false, isStarred: false })
    })
  })

  it('emit email.received when they arrive', async () => {
    const [email] = await arriveAll('told')
    const told = (await emitted(app, 'email.received')).filter(({ data }) => (data as { addressId: string }).addressId === address.id)
    expect(told).to.deep.equal([{
      event: 'email.received', mode: 'live', at: email!.receivedAt,
      data: { emailId: email!.id, addressId: address.id, from: 'shop@example.org', subject: 'told', receivedAt: email!.receivedAt },
    }])
  })
})
