import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { openForwardingWorld, press, shareForwardingWorld, visit } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { rawRequest } from '../support/raw-request.ts'
import { loseTable } from '../support/store/faults.ts'

const path = '/verify-forwarding'
const anyLink = `http://localhost${path}?token=${'A'.repeat(43)}`

describe('Forwarding addresses: the verification page', () => {
  let world: ForwardingWorld
  let id: string
  let link: string
  const newWorld = shareForwardingWorld()
  beforeEach(async () => {
    world = await newWorld()
    id = await add('grace@example.com')
    link = await world.linkTo('grace@example.com')
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const add = async (email: string) => (await world.app.api('POST', '/forwarding-addresses', { body: { email } })).body.data.id as string
  const verifiedAt = async () => (await world.app.api('GET', `/forwarding-addresses/${id}`)).body.data.verifiedAt as string | null

  it('Forwarding address, unverified: owner follows the link → verified: GET changes nothing, POST verifies, a second POST shows that it is verified already', async () => {
    for (let look = 0; look < 3; look++) {
      const page = await visit(world.app, link)
      expect([page.status, page.title]).to.deep.equal([200, 'Forward mail to grace@example.com?'])
      expect(page.html).to.include('<form method="post"><button type="submit">Yes, forward mail to me</button></form>')
      expect(await verifiedAt()).to.equal(null)
    }
    const done = await press(world.app, link)
    expect([done.status, done.title]).to.deep.equal([200, 'Thank you, that is done'])
    expect(done.html).to.include('grace@example.com').and.not.include('<form')
    expect(await verifiedAt()).to.equal('2026-03-14T09:00:00.000Z')

    await world.app.advance({ days: 3 })
    for (const again of [await press(world.app, link), await visit(world.app, link)]) {
      expect([again.status, again.title]).to.deep.equal([200, 'This is done already'])
      expect(again.html).to.include('grace@example.com is verified already').and.not.include('<form')
    }
    expect(await verifiedAt()).to.equal('2026-03-14T09:00:00.000Z')
  })

  it('HEAD and other methods of mail scanners change nothing', async () => {
    const head = await visit(world.app, link, 'HEAD')
    expect([head.status, head.html]).to.deep.equal([200, ''])
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers, title } = await visit(world.app, link, method)
      expect([status, headers.get('allow'), title]).to.deep.equal([405, 'GET, HEAD, POST', 'This page cannot be used like that'])
    }
    await visit(world.app, `${link}&method=post&_method=POST`, 'GET', { headers: { 'x-http-method-override': 'POST' } })
    expect(await verifiedAt()).to.equal(null)
  })

  it('verifies once for 20 concurrent POSTs', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, () => press(world.app, link)))
    expect(pages.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 200))
    expect(pages.map(({ title }) => title).sort()).to.deep.equal(
      [...Array.from({ length: 19 }, () => 'This is done already'), 'Thank you, that is done'].sort())
    expect(await verifiedAt()).to.equal('2026-03-14T09:00:00.000Z')
  })

  it('is valid for 24 hours, and then explains how to get a new link', async () => {
    await world.app.advance({ hours: 23, minutes: 59, seconds: 59 })
    expect((await visit(world.app, link)).status).to.equal(200)
    await world.app.advance({ seconds: 1 })
    for (const page of [await visit(world.app, link), await press(world.app, link)]) {
      expect([page.status, page.title]).to.deep.equal([410, 'This link has expired'])
      expect(page.html).to.include('Have a new verification email sent').and.not.include('<form')
    }
    expect(await verifiedAt()).to.equal(null)
    await world.app.api('POST', `/forwarding-addresses/${id}/resend-verification`)
    expect((await press(world.app, await world.linkTo('grace@example.com'))).title).to.equal('Thank you, that is done')
  })

  it('verifies one address alone', async () => {
    const other = await add('ada@example.com')
    await press(world.app, link)
    expect((await world.app.api('GET', `/forwarding-addresses/${other}`)).body.data.isVerified).to.equal(false)
  })

  describe('an unknown link', () => {
    const token = () => new URL(link).searchParams.get('token')!
    const queries: Record<string, () => string> = {
      'without a token': () => '',
      'with an empty token': () => '?token=',
      'with one that never was': () => `?token=${'A'.repeat(43)}`,
      'cut short': () => `?token=${token().slice(0, -1)}`,
      'with more behind it': () => `?token=${token()}A`,
      'with a dot behind it': () => `?token=${token()}.`,
      'given twice': () => `?token=${token()}&token=${token()}`,
      'in another case': () => `?TOKEN=${token()}`,
      'with markup': () => '?token=%3Cscript%3Ealert(1)%3C/script%3E&%22%3E%3Cimg=1',
      'with its digest': () => `?token=${createHash('sha256').update(token()).digest('hex')}`,
      'with a broken escape': () => '?token=%E0%A4%A',
      'with NULs': () => `?token=${'%00'.repeat(43)}`,
      'that is long': () => `?token=${'A'.repeat(10_000)}`,
    }
    for (const [name, query] of Object.entries(queries)) {
      it(name, async () => {
        for (const method of ['GET', 'POST']) {
          const { status, text, headers } = await rawRequest(world.app.url, { method, path: `${path}${query()}` })
          expect(status).to.equal(404)
          expect(headers['content-type']).to.equal('text/html; charset=utf-8')
          expect(text).to.include('<h1>This link is not known</h1>').and.include('have a new one sent')
          expect(text).to.not.match(/script|onerror|<img|grace/)
        }
        expect(await verifiedAt()).to.equal(null)
      })
    }
  })

  it('exists at one path alone', async () => {
    for (const other of [`${path}/`, path.toUpperCase(), `/api/v1${path}`, `/x${path}`]) {
      const { status, headers } = await rawRequest(world.app.url, { path: `${other}?token=${new URL(link).searchParams.get('token')}` })
      expect([status, headers['content-type']]).to.deep.equal([404, 'application/json; charset=utf-8'])
    }
  })

  for (const [name, request] of Object.entries({
    'a form': { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' },
    'invalid JSON': { headers: { 'content-type': 'application/json' }, body: '{' },
    'five megabytes': { body: Buffer.alloc(5_000_000, 'x') },
    'chunks without a length': { chunks: ['a=b', '&c=d'] },
  })) {
    it(`ignores the body of the POST: ${name}`, async () => {
      const { pathname, search } = new URL(link)
      const { status, text } = await rawRequest(world.app.url, { method: 'POST', path: pathname + search, ...request })
      expect(status).to.equal(200)
      expect(text).to.include('Thank you')
      expect(await verifiedAt()).to.not.equal(null)
    })
  }

  describe('its markup', () => {
    it('escapes the address', async () => {
      const hostile = "x'&{`|}=/x@example.com"
      await add(hostile)
      const { html, title } = await visit(world.app, await world.linkTo(hostile))
      expect(title).to.equal('Forward mail to x&#39;&amp;{`|}=/x@example.com?')
      expect(html).to.not.include(hostile)
    })

    it('fits phone screens, has no scripts, and loads nothing from other hosts', async () => {
      const { html } = await visit(world.app, link)
      expect(html).to.match(/^<!doctype html>\n<html lang="en">/)
      expect(html).to.include('<meta name="viewport" content="width=device-width, initial-scale=1">')
      expect(html).to.include('color-scheme: light dark').and.include('prefers-color-scheme: dark')
      expect(html).to.not.match(/<script|<link|<img|<iframe|\bon\w+=|style=|@import|url\(|https?:/i)
      expect(html).to.not.include(new URL(link).searchParams.get('token'))
    })

    for (const [name, open] of Object.entries({
      'the question': () => visit(world.app, link),
      'the thanks': () => press(world.app, link),
      'an unknown link': () => visit(world.app, anyLink),
      'a method that it does not know': () => visit(world.app, link, 'PUT'),
    })) {
      it(`${name} forbids framing and caching, and allows only its own style`, async () => {
        const { headers, html } = await open()
        const style = /<style>(.*?)<\/style>/s.exec(html)![1]!
        expect(html.match(/<style/g)).to.have.length(1)
        expect(headers.get('content-security-policy')).to.equal(
          `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; ` +
          "base-uri 'none'; frame-ancestors 'none'")
        expect(headers.get('x-frame-options')).to.equal('DENY')
        expect(headers.get('cache-control')).to.equal('no-store')
        expect(headers.get('referrer-policy')).to.equal('no-referrer')
        expect(headers.get('x-robots-tag')).to.equal('noindex, nofollow')
        expect(headers.get('x-content-type-options')).to.equal('nosniff')
        expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin')
        expect(headers.get('set-cookie')).to.equal(null)
        expect(headers.get('x-ratelimit-limit')).to.equal('1000000')
        expect(headers.get('x-ratelimit-remaining')).to.match(/^\d+$/)
        expect(headers.get('x-ratelimit-reset')).to.match(/^\d+$/)
      })
    }
  })

  it('cannot be read by other origins, including those of MAYFLY_CORS_ORIGINS', async () => {
    await world[Symbol.asyncDispose]()
    world = await openForwardingWorld({ env: { MAYFLY_CORS_ORIGINS: '*' } })
    const { headers } = await visit(world.app, anyLink, 'GET', { headers: { origin: 'https://evil.example' } })
    expect(headers.get('access-control-allow-origin')).to.equal(null)
  })

  it('answers 429 with a page over the rate limit', async () => {
    await world[Symbol.asyncDispose]()
    world = await openForwardingWorld({ env: { MAYFLY_RATE_LIMIT: '2' } })
    const statuses = []
    for (let visits = 0; visits < 3; visits++) statuses.push((await visit(world.app, anyLink)).status)
    expect(statuses).to.deep.equal([404, 404, 429])
    const { headers, title, html } = await visit(world.app, anyLink)
    expect([headers.get('retry-after'), headers.get('content-type'), title]).to.deep.equal(['60', 'text/html; charset=utf-8', 'Too many visits'])
    expect(html).to.include('Try again in 60 seconds.')
    expect((await world.app.api('GET', '/addresses', { key: null })).status).to.equal(401)
    await world.app.advance({ minutes: 1 })
    expect((await visit(world.app, anyLink)).status).to.equal(404)
  })

  it('answers 500 with a page, without internal details', async () => {
    await using own = await openForwardingWorld()
    await loseTable(own.app, 'forwarding_addresses')
    for (const method of ['GET', 'POST']) {
      const { status, title, html } = await visit(own.app, link, method)
      expect([status, title]).to.deep.equal([500, 'Something went wrong'])
      expect(html).to.not.match(/sql|table|at \//i)
    }
  })
})
