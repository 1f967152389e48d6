import type { ServerResponse } from 'node:http'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect } from 'chai'
import type { EmailChecks } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'

describe('Email checks', () => {
  let app: TestApp
  let site: Endpoint
  let address: { id: string, address: string }
  before(async () => {
    app = await openTestApp({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
    site = await openEndpoint()
    address = await app.newAddress()
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  async function receive(html: string, to = address, key = app.key): Promise<string> {
    await app.send({ from: 'a@shop.example', to: to.address, subject: 'Hello', html })
    await app.settled()
    return (await app.api('GET', '/emails?limit=1', { key })).body.data[0].id
  }

  const checksOf = async (id: string, query = ''): Promise<EmailChecks> => {
    const { status, body } = await app.api('GET', `/emails/${id}/checks${query}`)
    expect(status).to.equal(200)
    return body.data
  }

  /** Answers each path as `paths` says; with a redirect where it names another path. */
  function serve(paths: Record<string, number | string | ((response: ServerResponse) => void)>) {
    site.deliveries.length = 0
    site.answer = ({ path, method }, response) => {
      const answer = paths[`${method} ${path}`] ?? paths[path] ?? 200
      if (typeof answer === 'number') return answer
      if (typeof answer === 'string') response.writeHead(302, { location: answer }).end()
      else answer(response)
      return null
    }
    return new URL(site.url).origin
  }

  it('shows support, images, size, bodies and links of a mail', async () => {
    const id = await receive('<p style="display:flex">Hello <img src="https://shop.example/a.png"><a href="http://shop.example/">Shop</a></p>')
    const checks = await checksOf(id)
    expect(checks.clients.features.map((feature) => feature.id)).to.include('css-display-flex')
    expect(checks.images).to.include({ result: 'warn', withoutAlt: 1, remote: 1 })
    expect(checks.text).to.include({ result: 'warn', hasText: false, hasHtml: true })
    expect(checks.links.links).to.deep.equal([
      { url: 'http://shop.example/', result: 'warn', isInsecure: true, namedHost: null, status: null, redirects: null, error: null },
    ])
    expect(checks.result).to.equal('warn')
  })

  it('finds no email of another account, and needs the scope emails:read', async () => {
    const id = await receive('<p>Hello')
    expect((await app.api('GET', `/emails/${id}/checks`, { key: await app.newKey() })).status).to.equal(404)
    const key = await app.newKey({ account: app.account, scopes: ['emails:write'] })
    expect((await app.api('GET', `/emails/${id}/checks`, { key })).status).to.equal(403)
    expect((await app.api('GET', `/emails/${id}/checks?links=yes`)).body.code).to.equal('INVALID_REQUEST')
  })

  it('requests links with links=true, without cookies, by HEAD and then by GET', async () => {
    const base = serve({
      'HEAD /no-head': 405, '/gone': 404, '/private': 403, '/moved': '/ok', '/loop': '/loop',
      '/cookie': (response) => { response.writeHead(302, { 'location': '/ok', 'set-cookie': 'a=b' }).end() },
      '/local': 'file:///etc/passwd', '/broken': (response) => { response.destroy() },
    })
    const paths = ['ok', 'no-head', 'gone', 'private', 'moved', 'loop', 'cookie', 'local', 'broken']
    const id = await receive(paths.map((path) => `<a href="${base}/${path}">${path}</a> `).join(''))
    const { links } = await checksOf(id, '?links=true')
    const found = Object.fromEntries(links.links.map(({ url, status, redirects, error }) =>
      [url.slice(base.length + 1), [status, redirects, error]]))
    expect(found).to.deep.equal({
      'ok': [200, 0, null], 'no-head': [200, 0, null], 'gone': [404, 0, null], 'private': [403, 0, null], 'moved': [200, 1, null],
      'loop': [null, 5, 'The link has more than 5 redirects.'], 'cookie': [200, 1, null],
      'local': [null, 1, 'The URL must be an https URL.'],
      'broken': [null, 0, 'The endpoint could not be reached: it broke off the connection.'],
    })
    expect(links.result).to.equal('fail')
    expect(site.deliveries.filter(({ path }) => path === '/ok').map(({ method }) => method)).to.deep.equal(['HEAD', 'HEAD', 'HEAD'])
    expect(site.deliveries.filter(({ path }) => path === '/no-head').map(({ method }) => method)).to.deep.equal(['HEAD', 'GET'])
    expect(site.deliveries.some(({ headers }) => headers.cookie !== undefined || headers.authorization !== undefined)).to.equal(false)
  })

  it('requests the first 50 links, at most eight at once', async () => {
    let [open, most] = [0, 0]
    const base = serve({})
    site.answer = (_delivery, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.end()
      }, 5)
      return null
    }
    const id = await receive(Array.from({ length: 60 }, (_, index) => `<a href="${base}/${index}">x</a>`).join(' '))
    const { links } = await checksOf(id, '?links=true')
    const withStatus = (wanted: number | null) => links.links.filter(({ status }) => status === wanted).length
    expect([links.total, withStatus(200), withStatus(null)]).to.deep.equal([60, 50, 10])
    expect(most).to.be.within(2, 8)
  })

  it('does not delay searches, whose thread has other work', async () => {
    const id = await receive('<p style="color:red;margin:0 0 0 0;font:1px a">needle</p>\r\n'.repeat(60_000))
    await app.api('GET', '/emails?q=needle') // brings the index up to date
    const ended: string[] = []
    const check = checksOf(id).then(() => ended.push('check'))
    await Promise.all([check, app.api('GET', '/emails?q=needle').then(() => ended.push('search'))])
    expect(ended).to.deep.equal(['search', 'check'])
  })

  it('requests the links of an account while those of another do not answer', async () => {
    const held: ServerResponse[] = []
    site.answer = ({ path }, response) => {
      if (!path.startsWith('/slow')) return 200
      held.push(response)
      return null
    }
    const linksTo = (name: string) => Array.from({ length: 50 }, (_, i) => `<a href="${new URL(site.url).origin}/${name}${i}">x</a>`).join(' ')
    const other = await app.newKey()
    const theirs = (await app.api('POST', '/addresses', { body: {}, key: other })).body.data
    const [slow, quick] = [await receive(linksTo('slow'), theirs, other), await receive(linksTo('quick'))]
    const slowChecks = app.api('GET', `/emails/${slow}/checks?links=true`, { key: other })
    while (held.length < 8) await turnOfLoop()
    const { links } = await checksOf(quick, '?links=true')
    expect(links.links.filter(({ status }) => status === 200)).to.have.length(50)
    expect(held).to.have.length(8)
    site.answer = () => 200
    for (const response of held) response.end()
    expect((await slowChecks).status).to.equal(200)
  })

  it('sends no more than some hundreds of requests of an account to a site, of which redirects count', async () => {
    const base = serve({})
    site.answer = ({ path }, response) => {
      response.writeHead(302, { location: `${path.replace(/\D/g, '')}` }).end()
      return null
    }
    const key = await app.newKey()
    const address = (await app.api('POST', '/addresses', { body: {}, key })).body.data
    const id = await receive(Array.from({ length: 50 }, (_, i) => `<a href="${base}/${i}">x</a>`).join(' '), address, key)
    const before = site.deliveries.length
    const { links } = (await app.api<{ data: EmailChecks }>('GET', `/emails/${id}/checks?links=true`, { key })).body.data
    const errors = links.links.map(({ error }) => error)
    expect(errors).to.include('Too many links to 127.0.0.1 were requested. Check this mail again in a minute.')
    expect(site.deliveries.length - before).to.be.within(200, 250)
    site.answer = () => 200
    expect((await checksOf(await receive(`<a href="${base}/other">x</a>`), '?links=true')).links.links[0]!.status).to.equal(200)
  })

  it('requests no host of this network, unless webhooks may', async () => {
    await using strict = await openTestApp()
    const base = serve({})
    const to = await strict.newAddress()
    const hosts = [base, 'http://localhost:1', 'http://10.0.0.1', 'http://[::1]:1', 'https://user:pw@shop.example']
    await strict.send({ from: 'a@shop.example', to: to.address, html: hosts.map((host) => `<a href="${host}/x">x</a>`).join(' ') })
    await strict.settled()
    const { id } = (await strict.api('GET', '/emails')).body.data[0]
    const { links } = (await strict.api<{ data: EmailChecks }>('GET', `/emails/${id}/checks?links=true`)).body.data
    for (const { status, error } of links.links) {
      expect(status).to.equal(null)
      expect(error).to.match(/^The URL must (?:name a host|not hold)/)
    }
    expect([links.links.length, site.deliveries.length]).to.deep.equal([5, 0])
  })

  it('checks a long and hostile mail in a thread, while others are answered', async () => {
    const id = await receive(`<style>${'a{b:c;'.repeat(300_000)}</style>${'<div style="a:b;c:d">'.repeat(50_000)}`)
    const checking = checksOf(id)
    let maxMs = 0
    let isDone = false
    void checking.finally(() => { isDone = true })
    while (!isDone) {
      const start = performance.now()
      expect((await app.api('GET', '/addresses?limit=1')).status).to.equal(200)
      maxMs = Math.max(maxMs, performance.now() - start)
    }
    expect((await checking).size.result).to.equal('fail')
    expect(maxMs).to.be.below(1_000)
  })
})
