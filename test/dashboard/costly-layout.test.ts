import { expect } from 'chai'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import { frameOf, openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { catchPrint } from './shown-mail.ts'
import { sendRaw } from '../support/send-raw.ts'
import { openPart } from './mail-page.ts'

const within = (count: number, open: string, close: string) => open.repeat(count) + 'x' + close.repeat(count)
const isolated = (count: number, start: string, end: string) => `<p>${`${start}א${end}a`.repeat(count)}`

interface Float { side: string, width: number, height: number }

/** Boxes at both sides, of different sizes. */
const floats = (count: number, write: (float: Float) => string) =>
  Array.from({ length: count }, (_, i) => write({ side: i % 2 ? 'left' : 'right', width: 1 + i * 37 % 599, height: 1 + i * 53 % 97 })).join('')

/** HTML whose layout crashes a browser, or holds it for many seconds. */
const costlyHtml: Record<string, string> = {
  'elements within each other': within(480, '<div style="display: inline-block">', '</div>'),
  'elements 5,000 deep': within(5_000, '<div style="padding: 1px">', '') + '<table><tr><td>'.repeat(500),
  'cells of a million columns': `<table><tr>${'<td colspan=1000>x'.repeat(1_000)}</table>`,
  'columns by the million': `<table><colgroup>${'<col span=1000>'.repeat(1_000)}<tr><td>x</table>`,
  'cells of thousands of rows': `<table>${'<tr><td rowspan=65534>x'.repeat(4_000)}</table>`,
  'letters of two directions': isolated(20_000, '', ''),
  'letters and digits of two directions': isolated(20_000, '&#x660;', ''),
  'elements of their own direction': isolated(20_000, '<bdi>', '</bdi>'),
  'attributes of direction': isolated(20_000, '<b dir=rtl>', '</b>'),
  'items that set their number': `<ol>${'\n<li value=7>x'.repeat(20_000)}`,
  'items of lists': `<menu>${'<li type=a>x\n'.repeat(30_000)}`,
  'quotations': '<q>x</q>\n'.repeat(3_000),
  'details': '<details open><summary>x</summary>y</details>\n'.repeat(15_000),
  'images': '<img alt="text">\n'.repeat(20_000),
  'floats by style': floats(2_000, ({ side, width, height }) => `<div style="float: ${side}; width: ${width}px; height: ${height}px">x</div>`),
  'floats by attribute': floats(2_000, ({ side, width, height }) => `<table align=${side} width=${width} height=${height}><tr><td>x</table>`),
  'floats within a line': floats(2_000, ({ side, width, height }) => `<b style="float: ${side}; width: ${width}px; height: ${height}px">x</b> y `),
  'floats by a style sheet': `<style>.left { float: left; width: 301px } .right { float: right }</style>${floats(2_000, ({ side }) => `<b class=${side}>x</b>`)}`,
  'bidi controls': isolated(20_000, '&#x202b;', '&#x202c;'),
}

/** Styles of elements within each other, for which a browser needs a time that doubles with each of them, or crashes. */
const exponentialStyles: Record<string, string> = {
  'grids of a ratio': 'display: grid; aspect-ratio: 2',
  'grids of a height': 'display: inline-grid; max-width: 90%; height: 50%; overflow: hidden; word-break: break-all',
  'grids in columns of text': 'display: grid; aspect-ratio: 1; writing-mode: vertical-lr',
  'widths of the content with padding': 'padding: 1%; display: flow-root; min-width: min-content',
  'ruby texts': 'display: ruby-text',
  'tables in lines': 'display: inline-table',
  'blocks in balanced lines': 'display: inline-block; text-wrap: balance',
}

/**
 * A WebP image of black pixels that take no bits.
 * @param size of each side, up to 16,384
 * @see RFC 9649
 */
function webpOf(size: number): Buffer {
  const sides = Buffer.from(Uint32Array.of((size - 1) | (size - 1) << 14).buffer)
  const codes = Buffer.from('8888080000000000000000', 'hex') // five prefix codes of one symbol
  return Buffer.concat([Buffer.from('RIFF\x1c\0\0\0WEBPVP8L\x10\0\0\0\x2f', 'latin1'), sides, codes])
}

const dataUrl = (size: number) => `data:image/webp;base64,${webpOf(size).toString('base64')}`

describe('Dashboard: mail of costly layout', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const openNewMail = (mail: SendMailOptions, part?: string) => openPart(dashboard, page, mail, part)

  const frame = () => frameOf(page)
  const tooMuch = () => page.getByText('is too much to show')

  for (const [name, html] of Object.entries(costlyHtml)) {
    it(`says in place of HTML with ${name} that it is too much to show`, async () => {
      await openNewMail({ html })
      await tooMuch().waitFor()
    })
  }

  it('shows long text from right to left, with numbers and words of another script', async () => {
    await openNewMail({ html: `<p>${'שלום, עולם. 123 Mayfly '.repeat(3_000)}</p><table>${'<tr><td colspan=12 rowspan=2>x'.repeat(200)}</table><p id=end>Shown` })
    await frame().locator('#end').waitFor()
    expect(await tooMuch().count()).to.equal(0)
  })

  it('cuts text, print and source where their direction has changed ten thousand times', async () => {
    const { id, address } = await dashboard.app.newAddress()
    const lines = `${'אa'.repeat(100)}\r\n`.repeat(200)
    await sendRaw(dashboard.app.smtp.port, address, `Subject: Costly\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${lines}`)
    const email = await dashboard.app.onlyEmail(id)
    await page.goto(`${dashboard.url}/mail/${id}/${email.id}`)
    const text = await page.getByRole('tabpanel', { name: 'Text' }).textContent()
    await page.evaluate(catchPrint)
    await page.getByRole('button', { name: 'Print' }).click()
    await page.waitForFunction(() => document.title.includes('allow-modals'))
    const printed = await page.title()
    expect(printed.match(/אa/g)).to.have.length(2 * 10_000) // once as text, once as HTML
    expect(printed).to.match(/The first 20\S* kB are shown/)
    expect(text!.match(/אa/g)).to.have.length(10_000)
    expect(text).to.match(/^The first 20\S* kB are shown/)
    await page.getByRole('tab', { name: 'Source' }).click()
    await page.getByLabel('Source of the mail').waitFor()
    const source = await page.getByRole('tabpanel', { name: 'Source' }).textContent()
    expect(source!.match(/אa/g)).to.have.length(10_000)
    expect(source).to.match(/^The first 20\S* kB are shown/)
  })

  for (const [name, style] of Object.entries(exponentialStyles)) {
    it(`shows 240 elements within each other that are ${name} without this style`, async () => {
      await openNewMail({ html: `<style>p { color: red } div { ${style} }</style>${within(240, '<div>a', '</div>')}<b id=end>Shown` })
      await frame().locator('#end').waitFor()
      expect(await frame().locator('div').first().evaluate((element) => getComputedStyle(element).display)).to.match(/^(?:block|flow-root|inline-block)$/)
    })
  }

  it('shows spaces in percent as a part of the window', async () => {
    const style = 'display: flex; padding: 1%; margin: calc(1px + 2%) auto'
    await openNewMail({ html: `<style>div { ${style} }</style>${within(120, '<div>a', '</div>')}<b id=end style="${style}">Shown` })
    expect(await frame().locator('#end').getAttribute('style')).to.equal('display: flex; padding: 1vw; margin: calc(1px + 2vw) auto;')
    const rules = await frame().locator('body').evaluate((body) => Array.from(body.ownerDocument.styleSheets[1]!.cssRules, ({ cssText }) => cssText))
    expect(rules).to.deep.equal(['div { display: flex; padding: 1vw; margin: calc(1px + 2vw) auto; }'])
  })

  it('shows the text of ruby without its layout', async () => {
    await openNewMail({ html: within(120, '<ruby><b>a<rt><i>', '') + '<b id=end>Shown' })
    expect(await frame().locator('ruby, rt').count()).to.equal(0)
    await openNewMail({ html: '<p id=end><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby></p>' })
    expect(await frame().locator('#end').innerHTML()).to.equal('漢字(かんじ)')
  })

  it('shows parts of elements without float', async () => {
    await openNewMail({ html: '<style>p::first-letter { float: left; color: red } p::before { content: "x"; float: left } p { &::after { float: left } }</style><p id=end>Shown' })
    const floats = await frame().locator('#end').evaluate((element) => ['::first-letter', '::before', '::after'].map((part) => getComputedStyle(element, part).float))
    expect(floats).to.deep.equal(['none', 'none', 'none'])
  })

  it('shows a mail of many floats', async () => {
    await openNewMail({ html: `${floats(500, ({ side, width }) => `<table align=${side} width=${width}><tr><td>x</table>`)}<p id=end>Shown` })
    await frame().locator('#end').waitFor()
  })

  it('shows a list without the order that a browser counts again for each item', async () => {
    await openNewMail({ html: '<ol reversed start=3><li>x<li>y</ol>' })
    expect(await frame().locator('ol').evaluate((list) => list.outerHTML)).to.equal('<ol start="3"><li>x</li><li>y</li></ol>')
  })

  it('limits the elements whose style isolates their direction', async () => {
    await openNewMail({ html: `<style>i { unicode-bidi: isolate } b { color: rgb(1, 2, 3) }</style><b>x</b>${'<i>x</i>'.repeat(11_000)}` })
    const rules = await frame().locator('body').evaluate((body) => Array.from(body.ownerDocument.styleSheets[1]!.cssRules, ({ cssText }) => cssText))
    expect(rules).to.deep.equal(['i { }', 'b { color: rgb(1, 2, 3); }'])
  })

  it('scales a mail that is wider at any scale a few times', async () => {
    await openNewMail({ html: `<body style="margin: 0"><div style="width: 100.1%">x</div>${'<p>y</p>'.repeat(60)}` })
    const zoom = await page.waitForFunction(() => document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument?.documentElement.style.zoom)
    expect(Number(await zoom.jsonValue())).to.be.within(0.99, 1)
  })

  it('leaves out images of too many pixels: within HTML, in attachments and in styles', async () => {
    const [large, small] = [webpOf(16_384), webpOf(2)]
    await openNewMail({
      html: `<img alt=large src="${dataUrl(16_384)}"><img alt=file src=cid:large><p id=styled style="background: url(${dataUrl(16_383)})">x</p>
        <img alt=small src="${dataUrl(1)}"><img alt=smallFile src=cid:small><p id=shown style="background: url(${dataUrl(3)})">x</p>`,
      attachments: [{ cid: 'large', filename: 'large.webp', content: large }, { cid: 'small', filename: 'small.webp', content: small }],
    })
    await page.waitForFunction(() => {
      const shown = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument
      return shown?.querySelector<HTMLImageElement>('[alt=smallFile]')?.naturalWidth === 2
    })
    expect(await frame().locator('img').evaluateAll((images) => images.map((image) => image.hasAttribute('src') && image.getAttribute('alt')).filter(Boolean)))
      .to.deep.equal(['small', 'smallFile'])
    expect(await frame().locator('p').evaluateAll((all) => all.map((element) => getComputedStyle(element).backgroundImage.slice(0, 9))))
      .to.deep.equal(['none', 'url("data'])
    expect(await frame().locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))).to.deep.equal([0, 0, 1, 2])
  })

  it('shows images of a hundred million pixels in all', async () => {
    await openNewMail({ html: [6_001, 6_002, 6_003].map((size) => `<img width=9 height=9 src="${dataUrl(size)}">`).join('') })
    await page.waitForFunction(() => {
      const images = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument?.images
      return images && Array.from(images).filter(({ naturalWidth }) => naturalWidth > 6_000).length === 2
    })
    expect(await frame().locator('img[src]').count()).to.equal(2)
  })

  it('does not preview an image of too many pixels', async () => {
    await openNewMail({ text: 'x', attachments: [{ filename: 'large.webp', contentType: 'image/webp', content: webpOf(16_384) }] }, 'Text')
    await page.getByRole('button', { name: 'Preview large.webp' }).click()
    await page.getByText('The browser cannot show this file').waitFor()
  })
})
