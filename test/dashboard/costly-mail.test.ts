import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const numbered = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ')
const attributes = numbered(150_000, (index) => `a${index}`)

/** HTML that holds a browser for many seconds while it is parsed or shown. */
const costlyHtml: Record<string, string> = {
  'too many elements': '<b>x</b>'.repeat(120_000),
  'too many attributes of an element': `<p ${attributes}>x`,
  'too many attributes behind quoted brackets': `<p b=">" ${attributes}>x`,
  'too many attributes behind a quote in a comment': `<!-- <p a=" --><p b=">" ${attributes}>x`,
  'too many attributes behind a quote in a style': `<style><p a="</style><p b=">" ${attributes}>x`,
  'too many attributes of a style': `<style ${attributes}>x`,
  'too many attributes behind the style of an image': `<svg><style><p a="</style><p b=">" ${attributes}>x`,
  'too many attributes behind a quote in a value without quotes': `<p a=b="c ${attributes}">x`,
  'too many attributes behind a quote in a name': `<p "data:image/png;base64,${'a/'.repeat(150_000)}">x`,
  'tags within values of tags': '<a/b='.repeat(100_000),
}

/** Style sheets and styles that crash a browser, or hold it for many seconds. */
const costlyStyles: Record<string, string> = {
  'blocks 50,000 deep': '.a{'.repeat(50_000),
  'blocks 50,000 deep behind closing brackets in strings': '.a{b:"}";'.repeat(50_000),
  'blocks 50,000 deep behind other closing brackets': '.a{)'.repeat(50_000),
  'blocks 50,000 deep behind a comment in a URL': `.a{b:url(/*)}${'.a{'.repeat(50_000)}`,
  'blocks 50,000 deep behind a comment in a URL with escapes': `.a{b:u\\72 l(/*)}${'.a{'.repeat(50_000)}`,
  'blocks 50,000 deep behind a function with an escape': `.a{b:\\78 url(${'{'.repeat(50_000)}`,
  'media rules 30,000 deep': '@media all{'.repeat(30_000),
  'selectors 200,000 deep': ':not('.repeat(200_000),
  'conditions 300,000 deep': `@supports ${'('.repeat(300_000)}`,
  'rules that look at all descendants': '*:has(* *:not(b)) * { color: red }',
  'rules that look at all siblings': 'i ~ * ~ * ~ b { color: red }',
  'selectors within selectors': 'i:is(b:is(i:is(b:is(i)))) { color: red }',
  'rules within rules': 'i{i{i{i{color: red}}}}',
  'columns': '* { columns: 1; height: 1px }',
  'thousands of shadows': `* { box-shadow: ${Array.from({ length: 5_000 }, (_, index) => `0 0 ${index}px red`).join()} }`,
}

describe('Dashboard: costly mail', function () {
  this.timeout(30_000)
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  /** Sends a mail, opens it, and waits for the part that the reader shows first. */
  async function openNewMail(mail: SendMailOptions) {
    const { id, address } = await dashboard.app.newAddress()
    await dashboard.app.send({ subject: 'Costly', ...mail, to: address })
    const email = await dashboard.app.onlyEmail(id)
    await page.goto(`${dashboard.url}/mail/${id}/${email.id}`)
    await page.getByRole('tabpanel', { name: 'HTML' }).waitFor()
  }

  const frame = () => page.frameLocator('iframe[title=Message]')
  const tooMuch = () => page.getByText('is too much to show')

  for (const [name, html] of Object.entries(costlyHtml)) {
    it(`says in place of HTML with ${name} that it is too much to show`, async () => {
      await openNewMail({ html })
      await tooMuch().waitFor()
    })
  }

  it('shows a mail with an image of 1.5 MB within its HTML', async () => {
    const bytes = Buffer.concat([png, Buffer.alloc(1_100_000, 0xff)]) // 1.5 million slashes in base64
    await openNewMail({ html: `<p>with an image</p><img src="data:image/png;base64,${bytes.toString('base64')}">` })
    await frame().getByText('with an image').waitFor()
  })

  it('shows long HTML with few elements: words, quotes and an image within it', async () => {
    const image = `<img alt=Image src="data:image/png;base64,${randomBytes(700_000).toString('base64')}">`
    await openNewMail({ html: `<p id=first>It's "long"</p><pre>${numbered(50_000, (index) => `word${index}`)}</pre>${image}` })
    await frame().locator('#first').waitFor()
    expect(await tooMuch().count()).to.equal(0)
  })

  for (const [name, css] of Object.entries(costlyStyles)) {
    it(`shows a mail with a style of ${name} without it`, async () => {
      await openNewMail({ html: `<style>${css}</style><style>b { color: rgb(1, 2, 3) }</style><p><b>Shown</b></p>` })
      await frame().getByText('Shown').waitFor()
      const rules = await frame().locator('body').evaluate((body) => Array.from(body.ownerDocument.styleSheets).slice(1)
        .flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText)).join(' '))
      expect(rules).to.contain('b { color: rgb(1, 2, 3); }')
      expect(rules).not.to.match(/red|column-|columns|@media all \{ @media/)
      expect(rules.length).to.be.below(500)
    })
  }

  it('removes costly styles of elements', async () => {
    await openNewMail({ html: `<p style="columns: 1; height: 1px">a</p><p style="width: ${'calc('.repeat(300_000)}">b</p><p id=last style="color: rgb(1, 2, 3)">c</p>` })
    await frame().locator('#last').waitFor()
    expect(await frame().locator('p').evaluateAll((elements) => elements.map((element) => element.getAttribute('style'))))
      .to.deep.equal(['height: 1px;', null, 'color: rgb(1, 2, 3)'])
  })

  it('limits the rules of a mail by the number of its elements', async () => {
    await openNewMail({ html: `<style>${'*{color:rgb(1,2,3)}'.repeat(20_000)}</style>${'<i>x</i>'.repeat(20_000)}` })
    await frame().getByText('x').first().waitFor()
    const rules = await frame().locator('body').evaluate((body) => body.ownerDocument.styleSheets[1]!.cssRules.length)
    expect(rules).to.be.within(500, 2_000)
  })

  it('loads an image once that a mail shows thousands of times, and one hundred different images at most', async () => {
    const loaded: string[] = []
    page.on('request', (request) => { if (request.url().includes('/attachments/')) loaded.push(request.url()) })
    const html = '<img src="cid:i0">'.repeat(5_000) + numbered(150, (index) => `<img src="cid:i${index}">`)
    const attachments = Array.from({ length: 150 }, (_, index) => ({ cid: `i${index}`, filename: `${index}.png`, content: png }))
    await openNewMail({ html, attachments })
    await page.waitForFunction(() => {
      const images = Array.from(document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument?.images ?? [])
      return images.filter(({ src }) => src.startsWith('blob:')).length === 5_100
    })
    expect(loaded.length).to.equal(100)
    expect(new Set(loaded).size).to.equal(100)
  })
})
