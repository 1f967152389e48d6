import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { rawRequest } from '../support/raw-request.ts'
import { mailRow } from './mail-page.ts'

describe('Dashboard: behind a proxy with a path', function () {
  let dashboard: Dashboard
  /** Whether the proxy removes the path. */
  let isRemoved = true
  const elsewhere: string[] = []
  const proxy = createServer((req, res) => {
    if (!req.url!.startsWith('/mayfly/')) elsewhere.push(req.url!)
    const path = isRemoved ? req.url!.replace(/^\/mayfly(?=\/)/, '') : req.url!
    req.pipe(request(dashboard.app.url, { method: req.method, path, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res).on('error', () => {})
    }).on('error', () => res.destroy()))
  })

  before(async () => {
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    dashboard = await openDashboard({ env: { MAYFLY_BASE_URL: `http://127.0.0.1:${port}/mayfly` }, messages: ['Failed to load resource'] })
  })
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    proxy.closeAllConnections()
    proxy.close()
  })
  beforeEach(() => { elsewhere.length = 0 })

  for (const removes of [true, false]) {
    it(`signs in, shows pages and mail, and signs out, when the proxy ${removes ? 'removes' : 'keeps'} the path`, async () => {
      isRemoved = removes
      const { app, url } = dashboard
      const { id, address } = await app.newAddress()
      const page = await dashboard.openPage()
      const isAt = (path: string) => page.waitForURL((at) => at.href.startsWith(url + path))
      await isAt('/mail')
      expect((await page.context().cookies()).map(({ name, path }) => [name, path])).to.deep.equal([['mayfly', '/mayfly']])
      await page.goto(`${url}/mail/${id}`)
      await app.send({ to: address, subject: `Hello ${String(removes)}`, text: 'Your code is 482913.' })
      await mailRow(page, `Hello ${String(removes)}`).click() // by the stream of events
      await page.getByText('482913').filter({ visible: true }).first().waitFor()
      await isAt(`/mail/${id}/`)
      await page.reload()
      await page.getByText('482913').filter({ visible: true }).first().waitFor()
      expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).to.equal('/mayfly/docs')
      await page.goto(`${url}/docs`)
      await page.getByText('addresses', { exact: false }).first().waitFor()
      await page.goto(`${url}/sign-in?to=%2Faccount`) // with a session
      await isAt('/account')
      await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
      await isAt('/sign-in')
      await page.goto(`${url}/account?from=mail`)
      await page.waitForURL((at) => at.pathname === '/mayfly/sign-in' && at.searchParams.get('to') === '/account?from=mail')
      expect(elsewhere.filter((path) => path !== '/favicon.ico')).to.deep.equal([])
      await page.context().close()
    })
  }

  it('is the page at / for programs that ask for no type, and no page for those that ask for another', async () => {
    for (const headers of [{ accept: '*/*' }, {}, { accept: 'text/html' }, { accept: 'application/json, */*;q=0.1' }, { accept: 'text/*' }, { accept: '' }] as Record<string, string>[]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers: { 'content-type': type } } = await rawRequest(dashboard.app.url, { method, path: '/', headers })
        expect([status, type]).to.deep.equal([200, 'text/html; charset=utf-8'])
      }
    }
    expect((await rawRequest(dashboard.app.url, { path: '/', headers: { accept: 'application/json' } })).status).to.equal(404)
    expect((await rawRequest(dashboard.app.url, { path: '/nowhere', headers: { accept: '*/*' } })).status).to.equal(404)
    for (const path of ['/mayfly', '/mayfly/', '/mayfly?a']) expect((await rawRequest(dashboard.app.url, { path })).status).to.equal(200)
    expect((await rawRequest(dashboard.app.url, { path: '/mayflyer' })).status).to.equal(404)
  })
})
