import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import { frameOf, openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { openPart } from './mail-page.ts'

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
  'lines within hundreds of inline elements': `${'<big>'.repeat(240)}${'W@g '.repeat(50_000)}`,
  'Thai without spaces': `<p>${'\u0e2a\u0e27\u0e31\u0e2a'.repeat(120_000)}`,
  'a long Arabic word': `<p>${'\u0633'.repeat(80_000)}`,
  'a long Hindi word': `<p>${'\u0915\u094d\u0937\u093f'.repeat(2_000)}`,
  'a long Latin word of kerned letters': `<p>${'AV'.repeat(50_000)}`,
  'a long alternative text of Mongolian': `<img alt="${'\u1820\u1824'.repeat(5_000)}">`,
  'hundreds of long words in a narrow column': `<p style="width: 20px">${`${'\u0633'.repeat(300)} `.repeat(300)}`,
  'a long word around comments': `<p>${`${'\u0633'.repeat(100)}<!-- -->`.repeat(800)}`,
  'long text': `<p style="text-align: justify">${'Wg '.repeat(200_000)}`,
  'thousands of characters in many fonts': ['serif', 'sans-serif', 'monospace', 'cursive'].map((font) =>
    `<p style="font-family: ${font}">${numbered(4_000, (index) => String.fromCodePoint(0x4e00 + index))}`).join(''),
}

/** A sentence of each script whose letters join, or whose words have no spaces between them. */
const sentences = [
  'تم تأكيد طلبك رقم ١٢٣ وسيصل إليك قريبًا، شكرًا لك. ', 'ההזמנה שלך אושרה ותגיע בקרוב, תודה. ', 'आपका ऑर्डर स्वीकार हो गया है और जल्द ही पहुँचेगा। ',
  'உங்கள் ஆர்டர் உறுதிசெய்யப்பட்டது. ', 'คำสั่งซื้อของคุณได้รับการยืนยันแล้วและจะจัดส่งเร็วๆนี้ ', 'ការបញ្ជាទិញរបស់អ្នកត្រូវបានបញ្ជាក់ហើយ។ ', 'ကျေးဇူးတင်ပါသည်။ ',
  'བཀྲ་ཤིས་བདེ་ལེགས། ', 'ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ ', '您的订单已确认，我们将尽快发货。', 'ご注文ありがとうございます。', '주문이 확인되었습니다. ', 'Ваш заказ подтверждён. ',
]

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

const many = (count: number, element: string, style: string) => `<style>${element} { ${style} }</style>${`<${element}>x</${element}>`.repeat(count)}`
const above = 'position: absolute; left: 0; top: 0; width: 600px; height: 600px; '

/** Mails that take a browser seconds to paint, though some are short: its scripts answer meanwhile. */
const slowPaint: Record<string, string> = {
  'a filter of a hundred blurs': `<style>b { filter: ${'blur(9px) '.repeat(100)} }</style><b>x</b>`,
  'a filter in a style attribute': `<b style="-webkit-filter: ${'blur(9px) '.repeat(100)}">x</b>`,
  'hundreds of backdrop filters': many(500, 'i', `${above} backdrop-filter: blur(50px)`),
  'hundreds of round shadows above each other': many(500, 'i', `${above} border-radius: 50%; box-shadow: 0 0 60px red`),
  'shadows of style attributes': `<i style="${above} border-radius: 50%; box-shadow: 0 0 60px red">x</i>`.repeat(500),
  'shadows of great length': many(500, 'i', `${above} border-radius: 50%; box-shadow: 0 0 500px red`),
  'shadows in units of a great font': many(500, 'i', `${above} border-radius: 50%; font-size: 500px; box-shadow: 0 0 1em red`),
  'shadows of parts of elements': many(3_000, 'i', 'color: red') + `<style>i::before { ${above} content: ""; border-radius: 50%; box-shadow: 0 0 60px red }</style>`,
  'gradients above each other': many(9_000, 'i', `${above} background: radial-gradient(red, blue)`),
  'dotted round borders': many(500, 'i', `${above} border: 1px dotted red; border-radius: 50%`),
  'opacity within each other': `<style>b { ${above} opacity: 0.99; border-radius: 50%; overflow: hidden }</style>${`${'<b>'.repeat(240)}${'</b>'.repeat(240)}`.repeat(4)}`,
  'generated text without a height': `<style>p { height: 0; margin: 0 } p::before { content: "${'W'.repeat(28)}"; font-size: 300px }</style>${'<p>'.repeat(5_000)}`,
  'letters without a distance': `<p style="font-size: 300px; letter-spacing: -280px; white-space: nowrap">${'W@'.repeat(10_000)}`,
  'plain colours above each other': many(20_000, 'i', `${above} background: rgba(255, 0, 0, 0.1); border-radius: 50%`),
}

const manyLines = 'line-height: 0; word-break: break-all; margin: 300px 0; '
const gradient = 'background: radial-gradient(red, blue); border: 1px dotted; border-radius: 50%; padding: 200px'

/** Mails whose elements lie above each other by the thousand, without a position. */
const overlapping: Record<string, string> = {
  'elements above each other without a height': `<style>p { height: 0; margin: 0 } b { display: block; height: 600px; background: rgba(255, 0, 0, 0.1); border-radius: 50% }</style>${'<p><b>x</b></p>'.repeat(20_000)}`,
  'large letters in lines without a height': `<style>p { line-height: 0; font-size: 600px; margin: 0 } b { background: rgba(255, 0, 0, 0.1) }</style>${'<p><b>x</b></p>'.repeat(20_000)}`,
}

/** Short mails of few elements, whose letters lie above each other or are painted in a line each. */
const manyLinesMails: Record<string, string> = {
  'letters in lines without a height': `<p style="${manyLines} font-size: 300px; text-shadow: 0 0 60px red">${'Wg@%B'.repeat(340)}`,
  'letters with a gradient in a line each': `<p style="${manyLines} width: 1px"><b style="${gradient}">${'W'.repeat(1_600)}`,
  'letters with a shadow in a line each': `<p style="${manyLines} width: 1px"><b style="box-shadow: 0 0 200px red">${'W'.repeat(1_600)}`,
  'long words that are broken to fit': `<p style="line-height: 0; width: 1px"><b style="${gradient}">${'W'.repeat(1_600)}`,
  'alternative texts above each other': `<p style="height: 0; margin: 0; line-height: 0; font-size: 300px; word-break: break-all"><img alt="${'W@'.repeat(5_000)}">`.repeat(20),
  'markers of items without a height': `<style>li { height: 0; font-size: 300px; list-style: upper-roman inside }</style><ol>${'<li>'.repeat(20_000)}</ol>`,
}

/** Declarations of which nothing is shown. */
const refusedStyles = [
  'filter: blur(1px)', 'backdrop-filter: blur(1px)', 'mix-blend-mode: multiply', 'background-blend-mode: multiply', 'isolation: isolate',
  'mask: linear-gradient(red, blue)', 'clip-path: circle(50%)', 'shape-outside: circle(50%)', 'border-image: linear-gradient(red, blue) 1',
  'will-change: transform', 'perspective: 1px', 'transform: rotate3d(1, 1, 1, 9deg)', 'transform: translateZ(9px)', 'transform: scale(1.5)', 'transform: skewX(80deg)', 'transform-style: preserve-3d', 'rotate: x 9deg',
  'animation: a 1s infinite', 'transition: all 1s', 'columns: 3', 'zoom: 9', 'resize: both', 'position: fixed', 'position: sticky',
  'counter-reset: a', 'content: counter(a)', 'background-image: conic-gradient(red, blue)', 'background-image: repeating-linear-gradient(red, blue 1px)',
  'grid-template-columns: repeat(9999, 1px)', 'width: var(--a, 9px)', '--a: 1px', 'width: calc(infinity * 1px)', 'color-scheme: dark', 'all: unset',
  'display: grid', 'display: inline-grid', 'display: inline-table', 'text-wrap-style: balance', 'text-wrap-style: pretty', 'display: ruby', 'display: ruby-text', 'aspect-ratio: 2', 'writing-mode: vertical-rl', 'text-orientation: upright',
  'min-width: min-content', 'width: fit-content', 'max-height: max-content', 'flex-basis: content', 'width: -webkit-fill-available',
  'text-shadow: rgb(0, 0, 0) 0px 1px 1px', 'outline: 1px dotted red', 'text-decoration-style: wavy', 'text-underline-offset: 99px', 'text-decoration-thickness: 99px',
  'letter-spacing: -9px', 'letter-spacing: -0.5em', 'word-spacing: calc(-9px)', 'display: list-item', 'font-feature-settings: "smcp"', 'font-variant-ligatures: none',
  `background-image: ${Array(5).fill('linear-gradient(red, blue)').join()}`, `content: "${'W'.repeat(31)}"`, `list-style-type: "${'W'.repeat(31)}"`,
  'contain: strict', 'content-visibility: auto', 'offset-path: circle(9px)', '-webkit-box-reflect: below',
]

/** Declarations of newsletters, as the browser writes them. */
const shownStyles = [
  'color: rgb(1, 2, 3)', 'background: rgb(244, 244, 247)', 'font: bold 16px / 24px "Open Sans", Arial, sans-serif', 'margin: 0px auto', 'padding: 10px 5vw',
  'border: 1px solid rgb(238, 238, 238)', 'border-radius: 6px 0px', 'border-collapse: collapse', 'border-spacing: 0px', 'width: 100%', 'max-width: 600px',
  'min-width: calc(100% - 20px)', 'height: auto', 'line-height: 1.5', 'letter-spacing: 4px', 'text-align: center', 'text-decoration: none', 'text-transform: uppercase',
  'vertical-align: top', 'display: inline-block', 'display: flex', 'display: none', 'float: left', 'clear: both', 'white-space: nowrap', 'word-break: break-word',
  'overflow: hidden', 'opacity: 0.8', 'visibility: hidden', 'list-style: square', 'table-layout: fixed', 'box-sizing: border-box', 'position: relative',
  'position: absolute', 'top: -1px', 'z-index: 9999', 'direction: rtl', 'box-shadow: rgba(0, 0, 0, 0.1) 0px 2px 8px', 'border-top: 1px dashed red',
  'background-image: linear-gradient(90deg, red, blue)', 'transform: rotate(45deg)', 'object-fit: cover', 'gap: 8px', 'cursor: pointer', 'letter-spacing: -0.5px', 'letter-spacing: -0.02em', 'text-decoration: underline',
  'margin-top: -8px', 'text-indent: -9999px', 'mso-hide: all; color: red', 'background-size: cover', 'background-position: center center', 'content: "\u2713"',
]

const nested = `<div class=z><i></i></div><div class=z><div class=q><div class=y>${'<div class=a>'.repeat(240)}`
const leaves = '<p class=a>x</p>'.repeat(9_000)

/** Styles whose selectors are compared with all elements around each, and the elements. */
const slowSelectors: Record<string, [style: string, body: string]> = {
  'lists of selectors three deep': ['.a:is(.a:is(.a:is(.z > .y .a) .a) .a) { color: red }', `${nested}<p class=a>x</p>`],
  'negations three deep': ['.a:not(.z :not(.a:not(.z > .y .a) .a) .a) { color: red }', `${nested}<p class=a>x</p>`],
  'nested rules': ['.z > .y .a { & .a { & .a { color: red } } }', `${nested}<p class=a>x</p>`],
  'a nested rule with lists of selectors': ['.a:where(.z > .y .a) .a { :is(& .a) .a { color: red } }', `${nested}<p class=a>x</p>`],
  'a list of selectors for many elements': ['.a:is(.a:is(.z > .y .a) .a) { color: red }', `${nested}${leaves}`],
  'hundreds of descendants of many elements': [numbered(1_000, (index) => `.z > .y .a { margin-top: ${index}px }`), `${nested}${leaves}`],
  'siblings of the same kind': [':nth-child(1 of .a .a .a) { color: red }', `${nested}${leaves}`],
}

describe('Dashboard: costly mail', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const openNewMail = (mail: SendMailOptions) => openPart(dashboard, page, mail)

  const frame = () => frameOf(page)
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

  /** @returns milliseconds until the mail is open and ten frames are painted; then leaves it */
  async function timeToPaint(html: string): Promise<number> {
    const { id, address } = await dashboard.app.newAddress()
    await dashboard.app.send({ subject: 'Painted', html, to: address })
    const email = await dashboard.app.onlyEmail(id)
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    return page.evaluate(async (path) => {
      const nextFrame = () => new Promise(requestAnimationFrame)
      const isShown = () => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument
        return shown?.URL.startsWith('blob:') && shown.readyState === 'complete'
      }
      const start = performance.now()
      history.pushState(null, '', path)
      while (!isShown()) await nextFrame()
      for (let frame = 0; frame < 10; frame++) await nextFrame()
      return performance.now() - start
    }, `/mail/${id}/${email.id}`)
  }

  for (const [name, html] of Object.entries({ ...overlapping, ...manyLinesMails })) {
    it(`says in place of ${name} that it is too much to show`, async () => {
      await openNewMail({ html })
      await tooMuch().waitFor()
    })
  }

  it('shows 20,000 elements beside each other, each within 200 others', async () => {
    await openNewMail({ html: `${'<div style="padding: 1px; background: #eee">'.repeat(200)}${'<i>x</i> '.repeat(20_000)}<p id=end>Shown` })
    await frame().locator('#end').waitFor()
    expect(await tooMuch().count()).to.equal(0)
  })

  it('shows long mails of many scripts, long URLs and compact tables', async () => {
    const paragraphs = sentences.map((sentence) => `<p>${sentence.repeat(200)}</p>`)
    const urls = numbered(100, (index) => `https://shop.example/${index}/${'eJxVjM0OwiAQhN-lZ0JYlgX06A'.repeat(15)}`)
    await openNewMail({ html: `${paragraphs.join('')}<p>${urls}</p><table>${'<tr><td>482913<td>مرحبا</td>'.repeat(3_000)}</table><b id=end>Shown` })
    await frame().locator('#end').waitFor()
    expect(await tooMuch().count()).to.equal(0)
  })

  it('cuts plain text within a long word of joined letters, and no other', async () => {
    const mail = (letter: string) => ({ text: `${letter.repeat(80_000)} end` })
    await openPart(dashboard, page, mail('\u0633'), 'Text')
    const text = page.getByRole('tabpanel', { name: 'Text' })
    expect((await text.textContent())!.match(/\u0633/g)).to.have.length(2_236)
    await text.getByText(/^The first .* are shown/).waitFor()
    await openPart(dashboard, page, mail('AV'), 'Text')
    expect((await text.textContent())!.match(/AV/g)).to.have.length(80_000)
  })

  for (const [name, html] of Object.entries(slowPaint)) {
    it(`paints a mail with ${name} in a small multiple of the time of a plain mail`, async () => {
      const plainMs = await timeToPaint('<p>plain</p>'.repeat(100))
      expect(await timeToPaint(html) / plainMs).to.be.below(10)
    })
  }

  for (const [name, [style, body]] of Object.entries(slowSelectors)) {
    it(`shows a mail whose selectors are ${name} without costly rules`, async () => {
      await openNewMail({ html: `<style>${style}</style><style>b { color: rgb(1, 2, 3) }</style><b>Shown</b>${body}` })
      await frame().getByText('Shown').waitFor()
      const rules = await frame().locator('body').evaluate((shown) => Array.from(shown.ownerDocument.styleSheets).slice(1)
        .flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText)))
      expect(rules.at(-1)).to.equal('b { color: rgb(1, 2, 3); }')
      expect(rules.join('')).not.to.contain('red')
      expect(rules.length).to.be.below(200)
    })
  }

  it('shows the selectors of newsletters as they are', async () => {
    const selectors = [
      '#outlook a', '.body .main td.cell > table:not(.wide):not(.high) p', 'u + .body .full', 'a[href^="tel"], [style*="Open Sans"]',
      'div:is(.first, .last) > a:hover', 'table td table td table td', 'body[data-outlook-cycle] .image-fix, .x .y:first-child::before', '* .p',
    ]
    const rows = `<tr>${'<td><p class=p>x</p></td>'.repeat(5)}</tr>`.repeat(800)
    const sheet = selectors.map((selector) => `${selector} { color: rgb(1, 2, 3); }`)
    await openNewMail({ html: `<style>${numbered(25, () => sheet.join(' '))}</style>${'<table><tr><td>'.repeat(10)}<table>${rows}</table><b>Shown</b>` })
    await frame().getByText('Shown').waitFor()
    const rules = await frame().locator('body').evaluate((body) => Array.from(body.ownerDocument.styleSheets[1]!.cssRules, ({ cssText }) => cssText))
    expect(rules.length).to.equal(25 * selectors.length)
  })

  it('shows no property or value of styles but those that mails use', async () => {
    const sheet = refusedStyles.map((style, index) => `.r${index} { ${style} }`).join('\n')
    const elements = refusedStyles.map((style) => `<i style='${style}'>x</i>`).join('')
    const rules = '@keyframes k { to { color: red } } @font-face { font-family: f; src: url(data:font/woff2,x) } @property --p { syntax: "*"; inherits: false } @container (width > 0) { b { color: red } }'
    await openNewMail({ html: `<style>${sheet} ${rules}</style>${elements}<b>Shown</b>` })
    await frame().getByText('Shown').waitFor()
    expect(await frame().locator('i').evaluateAll((shown) => shown.map((element) => element.getAttribute('style')).filter(Boolean))).to.deep.equal([])
    expect(await frame().locator('body').evaluate((body) => Array.from(body.ownerDocument.styleSheets[1]!.cssRules, ({ cssText }) => cssText).join('')))
      .to.equal(refusedStyles.map((_, index) => `.r${index} { }`).join(''))
  })

  it('shows the styles of newsletters as they are', async () => {
    const sheet = shownStyles.map((style, index) => `.s${index}, .s${index}:hover { ${style} }`).join('\n')
    const elements = shownStyles.map((style, index) => `<i class=s${index} style='${style}'>x</i>`).join('')
    await openNewMail({ html: `<style>${sheet} @media (max-width: 1px) { b { color: red } }</style>${elements}<b>Shown</b>` })
    await frame().getByText('Shown').waitFor()
    expect(await frame().locator('i').evaluateAll((shown) => shown.map((element) => element.getAttribute('style')))).to.deep.equal(shownStyles)
    const rules = await frame().locator('body').evaluate((body) => Array.from(body.ownerDocument.styleSheets[1]!.cssRules, ({ cssText }) => cssText.replaceAll(/\s+/g, ' ')))
    expect(rules).to.deep.equal([
      ...shownStyles.map((style, index) => `.s${index}, .s${index}:hover { ${style.replace('mso-hide: all; ', '')}; }`), '@media (max-width: 1px) { b { color: red; } }',
    ])
  })

  for (const [name, text, kept] of [
    ['none but paints in a long mail', 'word '.repeat(12_000), ['b:hover { color: rgb(1, 2, 3); }', 'p:hover { & b { background-color: red; } }', 'b { width: 10px; }']],
    ['all in a mail of usual length', 'word '.repeat(2_000), [
      'b:hover { width: 10px; color: rgb(1, 2, 3); }', 'p:hover { & b { margin-top: 9px; background-color: red; } }', 'b { width: 10px; }',
    ]],
  ] as const) {
    it(`shows of the styles that follow the pointer ${name}: a layout can move the element away from the pointer, again and again`, async () => {
      const sheet = 'b:hover { width: 10px; color: rgb(1, 2, 3) } p:hover { & b { margin-top: 9px; background-color: red } } b { width: 10px }'
      await openNewMail({ html: `<style>${sheet}</style><p><b>Shown</b></p>${text}` })
      await frame().getByText('Shown').waitFor()
      expect(await frame().locator('body').evaluate((body) => Array.from(body.ownerDocument.styleSheets[1]!.cssRules, ({ cssText }) => cssText.replaceAll(/\s+/g, ' '))))
        .to.deep.equal(kept)
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
