import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import type { TestApp } from '../support/app.ts'
import { openCountingProxy } from '../support/counting-proxy.ts'
import type { CountingProxy } from '../support/counting-proxy.ts'
import { frameOf, openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { hostileMails } from './hostile-mails.ts'
import { findUnsafeParts, snapshotPage } from './shown-mail.ts'

/** Sends mails by their subjects, over four connections. */
async function sendAll({ smtp }: TestApp, to: string, mails: Record<string, SendMailOptions>) {
  const transport = createTransport({ ...smtp, pool: true, maxConnections: 4, maxMessages: Infinity, tls: { rejectUnauthorized: false } })
  try {
    await Promise.all(Object.entries(mails).map(([subject, mail]) => transport.sendMail({ from: 'attacker@example.org', to, subject, ...mail })))
  } finally {
    transport.close()
  }
}

/** Hosts that only the reader's own network or machine has, in all forms that a URL can have. */
const privateHosts = [
  '127.0.0.1', '127.9.9.9', '10.0.0.1', '192.168.1.1', '172.16.0.1', '172.31.255.254', '169.254.169.254', '0.0.0.0', '100.64.0.1', '224.0.0.1', '255.255.255.255',
  '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '0', '3232235777', '127.0.0.1.', '%31%32%37.0.0.1', '１２７.0.0.1',
  '[::1]', '[::]', '[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[ff02::1]',
  'localhost', 'LOCALHOST', 'localhost.', 'app.localhost', 'printer.local', 'db.internal', 'nas.lan', 'router.home.arpa', 'intranet', 'router',
]
const ownNetwork = '<img src="http://shop.example/public.png">' + privateHosts.flatMap((host) => ['http', 'https'].map((scheme) =>
  `<img src="${scheme}://${host}:8080/admin/delete"><p style="background: url(${scheme}://${host}/x)" background="${scheme}://${host}/y">x`)).join('')

const redirected = '<img src="http://shop.example/a?redirect=http://10.0.0.1/admin"><img src="http://shop.example/b?redirect=http://shop.example/c">' +
  '<img src="http://shop.example/d?redirect=https://cdn.example/e"><img src="https://secure.example/f">' +
  '<p style="background: url(http://other.example/g?redirect=http://router.lan/admin)">x</p>'

const drawings = '<img src="http://shop.example/logo.svg?v=1" alt=Logo><p style="background: url(http://shop.example/back.SVGZ)" background="http://shop.example/b.svg">x</p>' +
  '<img src="http://shop.example/svg.png">'

const sized = '<img src="http://shop.example/hat.png" width=120 height=80 alt="A hat">' +
  '<img src="http://shop.example/logo.png" style="width: 40px; height: 30px" alt=Logo>' +
  '<img src="http://shop.example/pixel.gif" width=1 height=1>'

describe('Dashboard: hostile mails', function () {
  let dashboard: Dashboard
  let proxy: CountingProxy
  let page: Page
  let addressId: string
  let pageBefore: string
  let ids: Map<string, string>
  const surprises: string[] = []

  before(async () => {
    proxy = await openCountingProxy()
    dashboard = await openDashboard({
      launch: { proxy: { server: proxy.url, bypass: 'localhost' } },
      // of the parser of style sheets, and of images after consent
      messages: [
        '@import rules are not allowed here', 'Failed to load resource: net::ERR_EMPTY_RESPONSE',
        "Loading the image 'http://10.0.0.1/admin' violates", "Loading the image 'http://router.lan/admin' violates",
      ],
    })
    const { app } = dashboard
    const { id, address } = await app.newAddress()
    addressId = id
    const benign = '<p>Hello</p><img src="http://shop.example/logo.png"><img src="/api/v1/addresses"><a href="https://shop.example/">Shop</a>'
    await sendAll(app, address, { ...hostileMails, 'remote image': { html: benign }, 'images of the own network': { html: ownNetwork }, 'redirected images': { html: redirected }, 'drawings of other hosts': { html: drawings }, 'sized images': { html: sized } })
    await app.settled()
    ids = new Map((await app.listEmails({ address_id: id, limit: '100' })).map((email) => [email.subject, email.id]))

    page = await dashboard.openPage()
    page.on('dialog', (dialog) => { surprises.push(`dialog ${dialog.message()}`); void dialog.dismiss() })
    page.on('pageerror', (error) => surprises.push(`error ${error.message}`))
    page.on('console', (message) => { if (message.type() === 'error') surprises.push(`console ${message.text()}`) })
    page.on('request', (request) => { if (!/^(?:blob:|data:)/.test(request.url()) && new URL(request.url()).origin !== dashboard.url) surprises.push(`request ${request.url()}`) })
    page.context().on('page', (opened) => surprises.push(`window ${opened.url()}`))
    await page.goto(`${dashboard.url}/mail/${id}/${ids.get('remote image')}`)
    await openMail('remote image')
    pageBefore = await page.evaluate(snapshotPage)
  })
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
  })

  /** Opens a mail as the list does, without loading the page again, and waits until its HTML is there. */
  async function openMail(subject: string) {
    await page.evaluate((path) => history.pushState(null, '', path), `/mail/${addressId}/${ids.get(subject)}`)
    await page.getByRole('article').getByRole('heading', { name: subject, exact: true }).waitFor()
    await frameLoaded()
  }

  const frameLoaded = () => page.waitForFunction(() => {
    const shown = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument
    return shown?.URL.startsWith('blob:') && shown.readyState === 'complete'
  })

  for (const name of Object.keys(hostileMails)) {
    it(`shows a mail with ${name}, which runs, loads and changes nothing`, async () => {
      await openMail(name)
      expect(await page.evaluate(findUnsafeParts)).to.deep.equal([])
      expect(await page.evaluate(snapshotPage)).to.equal(pageBefore)
      expect(page.url()).to.equal(`${dashboard.url}/mail/${addressId}/${ids.get(name)}`)
      expect(surprises.splice(0)).to.deep.equal([])
      expect(proxy.requests).to.deep.equal([])
    })
  }

  it('loads the image of another host once after consent, without a referrer, and nothing of this server', async () => {
    await openMail('remote image')
    const button = page.getByRole('button', { name: 'Load remote content' })
    const loaded = page.waitForResponse('http://shop.example/logo.png')
    await button.click()
    await loaded
    await frameLoaded()
    await page.waitForFunction(() => document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument?.images[0]?.complete)
    expect(proxy.requests.splice(0).map(({ method, url, headers }) => [method, url, headers.referer, headers.cookie]))
      .to.deep.equal([['GET', 'http://shop.example/logo.png', undefined, undefined]])
    expect(await page.evaluate(findUnsafeParts)).to.deep.equal([])
    expect(surprises.splice(0)).to.deep.equal(['request http://shop.example/logo.png'])
    expect(await button.count()).to.equal(0)
  })

  it('requests only the images of hostile mails after consent, without a referrer', async () => {
    const consented: string[] = []
    for (const name of Object.keys(hostileMails).filter((each) => /CSS|image|background|style/.test(each))) {
      await openMail(name)
      const button = page.getByRole('button', { name: 'Load remote content' })
      if (await button.count() === 0) continue
      consented.push(name)
      await button.click()
      await button.waitFor({ state: 'detached' })
      await frameLoaded()
      await page.waitForFunction(() =>
        Array.from(document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!.contentDocument!.images).every(({ complete }) => complete))
      expect(await page.evaluate(findUnsafeParts)).to.deep.equal([])
    }
    expect(consented).to.include.members(['CSS backgrounds', 'CSS in other rules', 'images of other hosts', 'backgrounds of tables', 'styles of elements'])
    const requested = proxy.requests.splice(0)
    expect([...new Set(requested.map(({ method, url }) => `${method} ${url}`))].sort())
      .to.deep.equal(['CONNECT tracker.example:443', 'GET http://tracker.example/image'])
    expect(requested.filter(({ headers }) => headers.referer)).to.deep.equal([])
    surprises.splice(0)
  })

  it('calls no host of the own network after consent', async () => {
    await openMail('images of the own network')
    await page.getByText('1 image is blocked').waitFor()
    const loaded = page.waitForResponse('http://shop.example/public.png')
    await page.getByRole('button', { name: 'Load remote content' }).click()
    await loaded
    await frameLoaded()
    expect(await page.evaluate(findUnsafeParts)).to.deep.equal([])
    expect([...new Set(proxy.requests.splice(0).map(({ url }) => url))]).to.deep.equal(['http://shop.example/public.png'])
    expect([...new Set(surprises.splice(0))]).to.deep.equal(['request http://shop.example/public.png'])
  })

  it('shows a blocked image as a box of its size, with its alternative text', async () => {
    await openMail('sized images')
    const boxes = frameOf(page).locator('[data-blocked-image]')
    await boxes.first().waitFor()
    expect(await boxes.evaluateAll((found) => found.map((box) => [box.textContent, box.clientWidth, box.clientHeight])))
      .to.deep.equal([['A hat', 120, 80], ['Logo', 40, 30], ['', 1, 1]])
    expect(await frameOf(page).locator('img').count()).to.equal(0)
  })

  it('requires consent for each mail again', async () => {
    await openMail('images of other hosts')
    await openMail('remote image')
    await page.getByRole('button', { name: 'Load remote content' }).waitFor()
    expect(proxy.requests).to.deep.equal([])
  })

  it('follows redirects of images to the hosts of the mail and by HTTPS, not into the own network', async () => {
    await openMail('redirected images')
    const ended = (url: string) => Promise.race((['requestfailed', 'requestfinished'] as const).map((event) =>
      page.waitForEvent(event as 'requestfailed', (request) => request.url().startsWith(url))))
    const refused = (url: string) => page.waitForEvent('console', (message) => message.text().includes(`'${url}' violates`))
    const all = Promise.all([
      ...['http://shop.example/c', 'https://cdn.example/e', 'https://secure.example/f'].map(ended),
      ...['http://10.0.0.1/admin', 'http://router.lan/admin'].map(refused),
    ])
    await page.getByRole('button', { name: 'Load remote content' }).click()
    await all
    expect([...new Set(proxy.requests.splice(0).map(({ url }) => url.replace(/\?.*/, '')))].sort()).to.deep.equal([
      'cdn.example:443', 'http://other.example/g', 'http://shop.example/a', 'http://shop.example/b', 'http://shop.example/c', 'http://shop.example/d',
      'secure.example:443',
    ])
  })

  it('requests no image whose URL is that of an SVG after consent, and shows its alternative text', async () => {
    await openMail('drawings of other hosts')
    await page.getByText('1 image is blocked').waitFor()
    const loaded = page.waitForResponse('http://shop.example/svg.png')
    await page.getByRole('button', { name: 'Load remote content' }).click()
    await loaded
    await frameOf(page).getByText('Logo').waitFor()
    expect([...new Set(proxy.requests.splice(0).map(({ url }) => url).filter((url) => /svg/i.test(url)))]).to.deep.equal(['http://shop.example/svg.png'])
  })
})
