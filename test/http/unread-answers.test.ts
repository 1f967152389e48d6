import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'
import type { Email } from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import { sendRaw } from '../support/send-raw.ts'
import { signIn } from '../support/sessions.ts'
import { emailOfAccount } from '../support/store/accounts.ts'
import { setBodyText } from '../support/store/mails.ts'

describe('Responses: unread bytes', () => {
  it('of an account are limited: while a caller does not read a large mail, further requests are answered 429', async () => {
    await using app = await openTestApp({ httpLimits: { maxUnreadBytes: 1024 * 1024 } })
    const { id: addressId, address } = await app.newAddress()
    await app.send({ to: address, text: 'x' })
    const { id } = await app.onlyEmail(addressId)
    // more than the kernel takes of an answer
    await setBodyText(app, 'x'.repeat(12_000_000))
    const other = await app.newKey()

    const slow = connect({ port: app.app.http.port, host: '127.0.0.1' })
    slow.write(`GET /api/v1/emails/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\n\r\n`)
    await once(slow, 'readable') // and does not read

    for (const path of ['/emails', `/emails/${id}`, `/emails/${id}/raw`]) {
      const { status, body, headers } = await app.api('GET', path)
      expect([status, body.code, headers.get('retry-after')]).to.deep.equal([429, 'RATE_LIMITED', '1'])
      expect(body.error).to.match(/^\d+ MiB of answers to this account are not read yet\. Read them first\.$/)
    }
    expect((await app.api('GET', '/addresses', { key: other })).status).to.equal(200)

    slow.destroy()
    await until(() => app.app.metrics.openRequests.size === 0)
    const { status, body } = await app.api('GET', `/emails/${id}`)
    expect([status, JSON.stringify(body).length > 12_000_000]).to.deep.equal([200, true])
  })

  it('of all accounts are limited: the accounts that have more than an equal share of them are answered 429', async () => {
    await using app = await openTestApp({ httpLimits: { maxUnreadBytesInAll: 12.5 * 1024 * 1024 } })
    const newMail = async (key: string, bytes: number) => {
      const { id: addressId, address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      await app.send({ to: address, text: 'x' })
      const [{ id }] = (await app.api('GET', `/emails?addressId=${addressId}`, { key })).body.data
      await setBodyText(app, 'x'.repeat(bytes))
      return id as string
    }
    const [slowKey, key] = [await app.newKey(), await app.newKey()]
    const unread = await newMail(slowKey, 12_000_000)
    const slow = connect({ port: app.app.http.port, host: '127.0.0.1' })
    slow.write(`GET /api/v1/emails/${unread} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${slowKey}\r\n\r\n`)
    await once(slow, 'readable') // and does not read

    const id = await newMail(key, 7_000_000)
    const { status, body, headers } = await app.api('GET', `/emails/${id}`, { key })
    expect([status, body.error, headers.get('retry-after')]).to.deep.equal([429,
      'Too many answers to all accounts are not read yet. Read those to this account, or try again later.', '1'])
    const answered = async (path: string, by = key) => (await app.api('GET', path, { key: by })).status
    expect([await answered('/emails'), await answered('/emails', slowKey), await answered(`/emails/${unread}`, slowKey)]).to.deep.equal([200, 200, 429])
    await setBodyText(app, 'x'.repeat(6_000_000))
    expect(await answered(`/emails/${id}`)).to.equal(200)

    slow.destroy()
    await until(() => app.app.metrics.openRequests.size === 0)
    await setBodyText(app, 'x'.repeat(7_000_000))
    expect(await answered(`/emails/${id}`)).to.equal(200)
  })

  it('of readers of a share link do not count for the account', async () => {
    await using app = await openTestApp({ httpLimits: { maxUnreadBytes: 1024 * 1024 } })
    const session = await signIn(app, { email: await emailOfAccount(app, app.account) })
    const { id: addressId, address } = await app.newAddress()
    await app.send({ to: address, text: 'x' })
    const { id } = await app.onlyEmail(addressId)
    await setBodyText(app, 'x'.repeat(12_000_000))
    const [, token] = (await session.api('POST', `/addresses/${addressId}/share-links`, { body: { hours: 1 } })).body.data.url.split('#')

    const slow = connect({ port: app.app.http.port, host: '127.0.0.1' })
    slow.write(`GET /api/v1/shared/emails/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await once(slow, 'readable')
    const reader = await app.api('GET', '/shared', { key: null, headers: { authorization: `Bearer ${token}` } })
    expect([reader.status, (await app.api('GET', '/emails')).status, (await session.api('GET', '/emails')).status]).to.deep.equal([429, 200, 200])
    slow.destroy()
  })
})

describe('Responses: long texts', () => {
  it('are whole, also pairs of surrogates at the ends of the pieces', async () => {
    await using app = await openTestApp()
    const { id: addressId, address } = await app.newAddress()
    await app.send({ to: address, text: 'x' })
    const { id } = await app.onlyEmail(addressId)
    for (const text of ['x'.repeat(262_144), 'x'.repeat(262_145), `x${'\u{1f600}'.repeat(400_000)}`, '"\\\n\u0001'.repeat(200_000)]) {
      await setBodyText(app, text)
      const { status, body, headers } = await app.api('GET', `/emails/${id}`)
      expect([status, body.data.bodyText === text]).to.deep.equal([200, true])
      expect(headers.get('content-length')).to.match(/^\d{6,}$/)
    }
  })

  it('are cut where clients read no longer answer, so that a mail with one ends no wait for another', async () => {
    await using app = await openTestApp()
    const mayfly = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    const inbox = await mayfly.inboxes.create()
    const lines = (byte: number, length: number) => Buffer.alloc(length, Buffer.concat([Buffer.alloc(800, byte), Buffer.from('\r\n')]))
    const send = (headers: string, body: Buffer | string) =>
      sendRaw(app.smtp.port, inbox.address, Buffer.concat([Buffer.from(`From: a@example.org\r\n${headers}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]))
    const hostile: Record<string, [string, Buffer]> = {
      'control characters': ['Content-Type: text/html', lines(1, 5_950_000)],
      'two bytes each in UTF-8': ['Content-Type: text/plain; charset=windows-1251\r\nContent-Transfer-Encoding: 8bit', lines(0xe4, 17_500_000)],
      'three bytes each in UTF-8': ['Content-Type: text/html; charset=tis-620\r\nContent-Transfer-Encoding: 8bit', lines(0xa1, 17_500_000)],
    }
    for (const [headers, body] of Object.values(hostile)) await send(headers, body)
    await send('Subject: Your code', 'Your verification code is 482913.')
    expect(await inbox.waitForCode()).to.equal('482913')
    const { data } = await mayfly.emails.list({ addressId: inbox.id })
    for (const { id } of data) {
      const { bodyText, bodyHtml, size } = await mayfly.emails.get(id)
      if (size > 1_000_000) expect(Buffer.byteLength(JSON.stringify(bodyHtml || bodyText))).to.be.within(14 * 2 ** 20 - 8, 14 * 2 ** 20 + 2)
    }
  })

  it('are cut by what the other members of an answer leave, also of mail that an earlier version stored whole', async () => {
    await using app = await openTestApp()
    const { id: addressId, address } = await app.newAddress()
    const body = Buffer.alloc(902 * 2_880, Buffer.concat([Buffer.alloc(900, 1), Buffer.from('\r\n')]))
    const bodies = ['plain', 'html'].flatMap((type) => [Buffer.from(`--a\r\nContent-Type: text/${type}\r\n\r\n`), body])
    const fields = Array.from({ length: 300 }, (_, i) => `X-${i}: ${'\u0001'.repeat(800)}\r\n`).join('')
    const file = `--b\r\nContent-Type: image/png\r\nContent-ID: <${'\u0001'.repeat(480)}\r\n ${'é'.repeat(250)}>\r\nContent-Disposition: attachment; filename*=utf-8''${'%22'.repeat(250)}\r\n\r\nx\r\n`
    await sendRaw(app.smtp.port, address, Buffer.concat([
      Buffer.from(`${fields}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n`),
      ...bodies, Buffer.from(`--a--\r\n${file.repeat(1_000)}--b--\r\n`),
    ]))
    const { id } = await app.onlyEmail(addressId)
    const sizeOf = async (dialect: string) => {
      const response = await fetch(`${app.url}/api/v1/emails/${id}`, { headers: { authorization: `Bearer ${app.key}`, 'x-mayfly-dialect': dialect } })
      const bytes = Buffer.from(await response.arrayBuffer())
      const { data } = JSON.parse(bytes.toString()) as { data: { email?: Email } & Email }
      const { bodyText, bodyHtml, attachments, headers } = data.email ?? data
      expect([attachments.length, Object.keys(headers).length > 200]).to.deep.equal([1_000, true])
      expect(Math.min(bodyText.length, bodyHtml.length)).to.be.at.least(2_000_000)
      return bytes.length
    }
    for (const text of [undefined, '\u0001'.repeat(6_000_000)]) {
      if (text !== undefined) await setBodyText(app, text)
      for (const dialect of ['primary', 'classic']) expect(await sizeOf(dialect)).to.be.within(26 * 2 ** 20, 31 * 2 ** 20)
    }
  })
})

async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise(setImmediate)
}
