import { expect } from 'chai'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { frameOf, openDashboard, openMail } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { openAddress } from './mail-page.ts'

const invitation = [
  'BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'SUMMARY:Planning\\, part', '  2', 'DTSTART;TZID=Europe/Berlin:20260302T093000',
  'DTEND;TZID=Europe/Berlin:20260302T103000', 'LOCATION:Room 4', 'ORGANIZER;CN="Ada":mailto:ada@shop.example', 'ATTENDEE:mailto:b@shop.example',
  'DESCRIPTION:Bring\\nnotes', 'END:VEVENT', 'END:VCALENDAR', '',
].join('\r\n')

const mail: SendMailOptions = {
  from: 'Shop <no-reply@shop.example>',
  subject: 'Your sign-in code 482913',
  text: 'Your code is 482913.',
  html: `<style>@media (prefers-color-scheme: dark) { #code { color: rgb(1, 2, 3) } }</style><!-- note --><p style="display: flex">Your code is
    <b id=code>482913</b></p><a href="http://shop.example/confirm">Confirm</a><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
  headers: { 'X-Size': '=?utf-8?q?Gr=C3=B6=C3?= =?utf-8?q?=9Fe?=' },
  attachments: [
    { filename: 'rows.csv', content: 'Name;Total\r\n"Ada; ""B""";3\r\n' },
    { filename: 'data.json', content: '{"a":[1]}' },
    { filename: 'notes.txt', content: 'Some <b>notes</b>' },
    { filename: 'invite.ics', content: invitation, contentType: 'text/calendar' },
    { filename: 'page.html', content: '<script>alert(1)</script>', contentType: 'text/html' },
  ],
}

describe('Dashboard: mail reader as a desk', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
  })
  beforeEach(async () => {
    await page?.context().close()
    page = await dashboard.openPage({ viewport: { width: 1280, height: 900 } })
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const reader = () => page.getByRole('article')
  const panel = () => reader().getByRole('tabpanel')
  const button = (name: string) => reader().getByRole('button', { name, exact: true })
  const openTab = (name: string) => reader().getByRole('tab', { name, exact: true }).click()
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const frameWidth = () => page.locator('iframe[title=Message]').evaluate((frame) => frame.clientWidth)

  async function openNewMail(more: SendMailOptions = {}) {
    const email = await openMail(dashboard, page, { ...mail, ...more })
    await frameOf(page).getByText('482913').waitFor()
    return email
  }

  it('shows code and mail on the first screen, and the code larger than text', async () => {
    await openNewMail()
    expect(await button('Copy code 482913').evaluate((code) => parseFloat(getComputedStyle(code).fontSize))).to.equal(20)
    expect((await page.locator('iframe[title=Message]').boundingBox())!.y).to.be.below(480)
    expect((await reader().locator('header').boundingBox())!.height).to.be.below(80)
  })

  it('shows the mail as wide as a phone, a tablet, or the window', async () => {
    await openNewMail()
    const full = await frameWidth()
    await button('Phone').click()
    await page.waitForFunction(() => document.querySelector('iframe[title=Message]')!.clientWidth === 373) // within borders
    await button('Tablet').click()
    await page.waitForFunction(() => document.querySelector('iframe[title=Message]')!.clientWidth === 766)
    expect(await button('Tablet').getAttribute('aria-pressed')).to.equal('true')
    await button('Full width').click()
    await page.waitForFunction((width) => document.querySelector('iframe[title=Message]')!.clientWidth === width, full)
  })

  it('shows the mail in dark colours: by its own styles, or inverted', async () => {
    const colour = () => frameOf(page).locator('#code').evaluate((code) => getComputedStyle(code).color)
    const scheme = () => page.locator('[data-scheme]:has(> iframe)').getAttribute('data-scheme')
    await openNewMail()
    expect([await colour(), await scheme()]).to.deep.equal(['rgb(31, 35, 40)', 'light'])
    await reader().getByRole('switch', { name: 'Dark' }).click()
    await page.locator('[data-scheme=dark]').waitFor()
    await frameOf(page).getByText('482913').waitFor()
    expect(await colour()).to.equal('rgb(1, 2, 3)')
    await openNewMail({ html: '<p>Your code is <b id=code>482913</b>' })
    expect([await colour(), await scheme()]).to.deep.equal(['rgb(31, 35, 40)', 'inverted'])
    expect(await page.locator('iframe[title=Message]').evaluate((frame) => getComputedStyle(frame).filter)).to.equal('invert(0.93) hue-rotate(180deg)')
    for (const [count, filter] of [[50, 'invert(1) hue-rotate(180deg)'], [51, 'none']] as const) { // more take seconds to paint
      await openNewMail({ html: `<p>482913</p>${'<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'.repeat(count)}` })
      expect(await frameOf(page).locator('img').last().evaluate((image) => getComputedStyle(image).filter), String(count)).to.equal(filter)
    }
  })

  it('shows the beginning of a long HTML body and of a long JSON, and indents no deep one', async () => {
    const deep = `${'['.repeat(60)}${']'.repeat(60)}`
    const html = `<p>${'word '.repeat(120_000)}</p>`
    const { bodyHtml } = await openMail(dashboard, page, { ...mail, html, attachments: [{ filename: 'deep.json', content: deep }] })
    await button('Preview deep.json').click()
    expect(await page.getByRole('dialog').locator('pre').textContent()).to.equal(deep)
    await page.keyboard.press('Escape')
    for (const tab of ['HTML', 'JSON']) {
      await openTab(tab)
      await panel().getByText(/^The first .* are shown/).waitFor()
      expect((await panel().locator('pre').textContent())!.length, tab).to.equal(500_000)
    }
    await openTab('HTML')
    await button('Copy HTML').click()
    expect(await readClipboard()).to.equal(bodyHtml)
  })

  it('shows the HTML in colours, and copies it', async () => {
    const { bodyHtml } = await openNewMail()
    await openTab('HTML')
    await panel().getByText('<!-- note -->').waitFor()
    await button('Copy HTML').click()
    expect(await readClipboard()).to.equal(bodyHtml)
    expect(await panel().getByLabel('HTML of the mail').textContent()).to.equal(bodyHtml)
  })

  it('shows headers decoded, filters and copies them', async () => {
    await openNewMail()
    await openTab('Headers')
    await panel().getByRole('textbox', { name: 'Filter headers' }).fill('x-size')
    await panel().getByRole('row', { name: 'X-Size Größe' }).waitFor()
    expect(await panel().getByRole('row').count()).to.equal(2)
    await button('Copy header X-Size').click()
    expect(await readClipboard()).to.equal('Größe')
    await panel().getByRole('textbox', { name: 'Filter headers' }).fill('none of them')
    await panel().getByText('No header has these characters.').waitFor()
  })

  it('shows the tree of the parts', async () => {
    await openNewMail()
    await openTab('Structure')
    const tree = panel().getByRole('list', { name: 'Structure of the mail' })
    await tree.getByText('multipart/mixed').waitFor()
    const lines = (await tree.locator('li').evaluateAll((items) => items.map((item) =>
      `${'-'.repeat(item.parentElement!.closest('li') ? item.parentElement!.closest('li')!.parentElement!.closest('li') ? 2 : 1 : 0)}${item.querySelector('p, span')!.textContent}`)))
    expect(lines).to.deep.equal([
      'multipart/mixed', '-multipart/alternative', '--text/plain', '--text/html', '-text/csv', '-application/json', '-text/plain', '-text/calendar', '-text/html',
    ])
    await tree.getByText('invite.ics').waitFor()
  })

  it('shows what mail clients support, and requests the links on request', async () => {
    await openNewMail()
    await openTab('Checks')
    await panel().getByRole('row', { name: /display:flex/ }).waitFor()
    await panel().getByRole('list', { name: 'Support by mail client' }).getByText('Gmail webmail').waitFor()
    await panel().getByText('1 without an alternative text (alt).').waitFor()
    await panel().getByText('1 with http, not https.').waitFor()
    await button('Check links').click()
    const row = panel().getByRole('row', { name: 'http://shop.example/confirm' })
    expect(await row.textContent()).to.match(/^Fail.*(?:The DNS lookup of shop\.example failed|has no address)/)
  })

  it('shows and copies the JSON of the API, and the source', async () => {
    const { id } = await openNewMail()
    await openTab('JSON')
    await button('Copy JSON').click()
    expect(JSON.parse(await readClipboard())).to.deep.include({ id, codes: ['482913'] })
    await openTab('Source')
    await panel().getByText('Content-Type: multipart/mixed').waitFor()
  })

  it('copies the lines of a program that reads the mail', async () => {
    const { id } = await openNewMail()
    for (const [language, line] of Object.entries({
      curl: `curl -s ${dashboard.url}/api/v1/emails/${id} \\\n  -H "Authorization: Bearer $MAYFLY_API_KEY"`,
      TypeScript: `const email = await mayfly.emails.get('${id}')`,
      Python: `email = mayfly.emails.get('${id}')`,
      Command: `mayfly email show ${id} --url ${dashboard.url}`,
    })) {
      await button('Copy as').click()
      await reader().getByRole('menuitem', { name: language }).click()
      await page.getByText(`Copied as ${language}`).first().waitFor()
      expect(await readClipboard()).to.include(line)
    }
    await button('Copy as').click()
    await page.keyboard.press('Escape')
    await reader().getByRole('menu').waitFor({ state: 'hidden' })
    expect(await reader().count()).to.equal(1)
  })

  it('goes to the next and the previous mail', async () => {
    const { id, ids } = await openAddress(dashboard, page, 'One', 'Two')
    await page.goto(`${dashboard.url}/mail/${id}/${ids[1]}`)
    await reader().getByRole('heading', { name: 'Two' }).waitFor()
    await page.locator(`[data-mail="${ids[0]}"]`).waitFor()
    await button('Next mail').click()
    await reader().getByRole('heading', { name: 'One' }).waitFor()
    await button('Previous mail').click()
    await reader().getByRole('heading', { name: 'Two' }).waitFor()
  })

  it('previews rows, JSON, text and events, but no HTML', async () => {
    await openNewMail()
    await button('Show all 5 attachments').click()
    const dialog = page.getByRole('dialog')
    const preview = (name: string) => button(`Preview ${name}`).click()
    const close = async () => {
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await preview('rows.csv')
    await dialog.getByRole('cell').last().waitFor()
    expect(await dialog.getByRole('cell').allTextContents()).to.deep.equal(['Ada; "B"', '3'])
    await close()
    await preview('data.json')
    expect(await dialog.locator('pre').textContent()).to.equal('{\n  "a": [\n    1\n  ]\n}')
    await close()
    await preview('notes.txt')
    expect(await dialog.locator('pre').textContent()).to.equal('Some <b>notes</b>')
    await close()
    await preview('invite.ics')
    const event = dialog.getByRole('article', { name: 'Planning, part 2' })
    await event.getByText('Monday, March 2, 2026 at 9:30 AM Europe/Berlin – Monday, March 2, 2026 at 10:30 AM Europe/Berlin').waitFor()
    for (const fact of ['Room 4', 'Ada', 'REQUEST']) await event.getByText(fact, { exact: true }).waitFor()
    await close()
    expect(await button('Preview page.html').count()).to.equal(0)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1280]) {
      it(`has no problem of accessibility that axe finds in ${colorScheme} colours at ${width} px`, async () => {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await openNewMail()
        for (const tab of ['Preview', 'Text', 'HTML', 'Headers', 'Structure', 'Checks', 'JSON', 'Source']) {
          await openTab(tab)
          await panel().getByRole('status').waitFor({ state: 'detached' })
          expect(await findViolations(page), tab).to.deep.equal([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth), tab).to.be.at.most(width)
        }
        await button('Copy as').click()
        await reader().getByRole('menuitem', { name: 'curl' }).waitFor()
        expect(await findViolations(page), 'menu').to.deep.equal([])
      })
    }
  }
})
