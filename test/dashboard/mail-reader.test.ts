import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import { frameOf, openDashboard, openMail } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { catchPrint } from './shown-mail.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const newsletter: SendMailOptions = {
  from: 'Shop <no-reply@shop.example>',
  subject: 'Your sign-in code 482913',
  text: 'Your code is 482913.\nSee https://shop.example/help?a=1&b=2. Not ftp://shop.example/file.',
  html: `<style>#code { color: rgb(1, 2, 3) }</style><p>Your code is <b id=code>482913</b>. <a href="#foot">Below</a></p>
    <a href="https://shop.example/confirm?t=1">Confirm</a> <a href="https://xn--pypal-4ve.example/login">www.paypal.com</a>
    <img src="cid:logo@shop" alt="Logo"><div style="height: 900px"></div><p id=foot>Foot</p>`,
  attachments: [
    { filename: 'photo.png', content: png },
    { filename: 'page.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>', contentType: 'image/svg+xml' },
    { filename: 'logo.png', content: png, cid: 'logo@shop', contentDisposition: 'inline' },
  ],
}

describe('Dashboard: mail reader', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard({ env: { MAYFLY_OUTBOUND: 'capture' } })
    page = await dashboard.openPage()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  /** Sends a mail, opens it, and returns its id. */
  async function openNewMail(mail: SendMailOptions = newsletter): Promise<string> {
    const email = await openMail(dashboard, page, mail)
    await page.getByRole('heading', { name: email.subject, level: 2 }).waitFor()
    return email.id
  }

  const reader = () => page.getByRole('article')
  const frame = () => frameOf(page)
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const readEmail = async (id: string) => (await dashboard.app.api('GET', `/emails/${id}`)).body.data

  async function printed() {
    await page.evaluate(catchPrint)
    await reader().getByRole('button', { name: 'Print' }).click()
    await page.waitForFunction(() => document.title.includes('allow-modals'))
    return JSON.parse(await page.title()) as { sandbox: string, text: string, html: string }
  }

  it('shows sender, recipient, code and links, and copies them', async () => {
    await openNewMail()
    await reader().getByText('Shop', { exact: true }).waitFor()
    await reader().getByText('<no-reply@shop.example>').waitFor()
    await reader().getByRole('button', { name: 'Copy code 482913' }).click()
    expect(await readClipboard()).to.equal('482913')
    await reader().getByRole('button', { name: 'Copy link https://shop.example/confirm?t=1' }).click()
    expect(await readClipboard()).to.equal('https://shop.example/confirm?t=1')
    const link = reader().getByRole('link', { name: 'https://shop.example/confirm?t=1' })
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).to.deep.equal(['_blank', 'noopener noreferrer'])
    await reader().getByText('The text names another host: www.paypal.com').waitFor()
  })

  it('shows warnings, and how long a code is valid, until that is over', async () => {
    await openNewMail({ subject: 'Warned', html: `<p hidden>Forward this.</p><p>Your code is 482913. It expires in 90 minutes.</p>&#xe0041;<p>@bank.example #482913</p>` })
    const codes = reader().getByRole('region', { name: 'Codes' })
    await codes.getByText('valid for 1 h 30 min').waitFor()
    await codes.getByText('only at bank.example').waitFor()
    const warnings = reader().getByRole('list', { name: 'Warnings' }).getByRole('listitem')
    expect(await warnings.allInnerTexts()).to.deep.equal(['The HTML of this mail hides text from its reader.', 'This mail has text in characters that are not seen.'])
    await openNewMail({ subject: 'Short', text: 'Your code is 482913. It expires in 1 second.' })
    await codes.getByText('expired').waitFor()
    expect(await warnings.count()).to.equal(0)
  })

  it('shows the other mails of its thread, also one that comes meanwhile, and leads to them', async () => {
    const { app, url } = dashboard
    const { id, address } = await app.newAddress()
    await app.send({ to: address, subject: 'Question', messageId: '<question@shop.example>', text: 'What is it?' })
    const question = await app.onlyEmail(id)
    await app.send({ to: address, subject: 'Other', text: 'Another thread.' })
    await page.goto(`${url}/mail/${id}/${question.id}`)
    await page.getByRole('heading', { name: 'Question', level: 2 }).waitFor()
    const thread = reader().getByRole('region', { name: 'In this thread' })
    expect(await thread.count()).to.equal(0)
    await app.send({ from: 'Ada <ada@shop.example>', to: address, subject: 'Re: Question', inReplyTo: '<question@shop.example>', references: '<question@shop.example>', text: 'This.' })
    await thread.getByRole('link', { name: 'Re: Question' }).click()
    await page.getByRole('heading', { name: 'Re: Question', level: 2 }).waitFor()
    expect(await thread.getByRole('listitem').allInnerTexts()).to.have.length(1)
    await thread.getByRole('link', { name: 'Question' }).click()
    await page.waitForURL(`${url}/mail/${id}/${question.id}`)
  })

  it('shows the HTML with its styles and inline images, as high as it is', async () => {
    await openNewMail()
    await frame().getByText('Foot').waitFor()
    expect(await frame().getByText('482913').evaluate((code) => getComputedStyle(code).color)).to.equal('rgb(1, 2, 3)')
    await page.waitForFunction(() => {
      const { offsetHeight, contentDocument } = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!
      const { images, documentElement } = contentDocument!
      return images[0]?.naturalWidth === 1 && offsetHeight > 1_000 && offsetHeight === documentElement.scrollHeight
    })
    expect(await reader().getByRole('button', { name: 'Load remote content' }).count()).to.equal(0)
  })

  it('shows inline images of the types that mails declare, by their first bytes, also in styles', async () => {
    const types = [
      'image/jpg', 'image/pjpeg', 'image/x-png', 'IMAGE/PNG', 'image/png; name=a.png', 'application/octet-stream', 'text/plain', // which are images
      'image/svg+xml', 'image/png', 'application/octet-stream', 'text/html', // which are not
    ]
    const files = ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', '<!doctype html><p>x', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'BMW is no image']
    await openNewMail({
      html: `<style>#sheet { background: red url(cid:i5) no-repeat }</style>${types.map((_, index) => `<img src="cid:i${index}" alt=${index}>`).join('')}
        <p id=sheet>x<p id=element style="background-image: url('cid:i0'), linear-gradient(red, blue)">x<p id=none style="background: url(cid:i7)">x
        <img src="data:image/jpg;base64,${png.toString('base64')}" alt=data><img src="data:application/octet-stream;base64,${png.toString('base64')}" alt=octets>`,
      subject: 'Images',
      attachments: types.map((contentType, index) => ({ cid: `i${index}`, filename: `f${index}`, contentType, content: index < 7 ? png : files[index - 7]! })),
    })
    await page.waitForFunction(() => {
      const shown = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!.contentDocument!
      const styles = ['sheet', 'element'].map((id) => shown.defaultView!.getComputedStyle(shown.getElementById(id)!).backgroundImage)
      return Array.from(shown.images).filter(({ naturalWidth }) => naturalWidth === 1).map(({ alt }) => alt).join() === '0,1,2,3,4,5,6,data,octets' &&
        /^url\("blob:[^"]*"\)$/.test(styles[0]!) && /^url\("blob:[^"]*"\), linear-gradient/.test(styles[1]!)
    })
    const loaded = await frame().locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('src')?.slice(0, 5)))
    expect(loaded.slice(0, 11)).to.deep.equal([...Array<string>(7).fill('blob:'), undefined, undefined, undefined, undefined])
    expect(await frame().locator('#none').evaluate((element) => getComputedStyle(element).backgroundImage)).to.equal('none')
  })

  it('keeps the direction, language, class and style of the whole mail', async () => {
    await openNewMail({
      subject: 'Direction',
      html: '<!-- <html dir=ltr> --><HTML dir="rtl" lang=ar class=mail style="background: rgb(1, 2, 3); filter: blur(9px)" onclick="x"><head><style>.mail b { color: rgb(4, 5, 6) }</style></head><body dir=rtl bgcolor="#070809"><b>مرحبا</b></body></html>',
    })
    await frame().getByText('مرحبا').waitFor()
    const { root, body, color } = await frame().getByText('مرحبا').evaluate((element) => {
      const { documentElement, body } = element.ownerDocument
      const { direction, backgroundColor, filter } = getComputedStyle(documentElement)
      return {
        root: { direction, backgroundColor, filter, lang: documentElement.lang, handler: documentElement.getAttribute('onclick') },
        body: [body.dir, body.getAttribute('bgcolor')], color: getComputedStyle(element).color,
      }
    })
    expect(root).to.deep.equal({ direction: 'rtl', backgroundColor: 'rgb(1, 2, 3)', filter: 'none', lang: 'ar', handler: null })
    expect(body).to.deep.equal(['rtl', '#070809'])
    expect(color).to.equal('rgb(4, 5, 6)')
  })

  it('follows links within the mail, and hands keys to the page', async () => {
    await openNewMail()
    await page.evaluate(() => addEventListener('keydown', ({ key, target }) => { document.title = `${key} ${(target as Element).localName}` }))
    await frame().getByText('Below').click()
    await frame().getByText('Foot').click()
    expect(await frame().getByText('Foot').evaluate((foot) => foot.ownerDocument.URL)).to.match(/^blob:[^#]*$/)
    await page.keyboard.press('j')
    expect(await page.title()).to.equal('j iframe')
  })

  it('shows text with links of http alone, HTML and headers, by keyboard', async () => {
    await openNewMail()
    await reader().getByRole('tab', { name: 'Preview' }).focus()
    await page.keyboard.press('ArrowRight')
    const panel = reader().getByRole('tabpanel')
    await panel.getByText('Your code is 482913.').waitFor()
    expect(await panel.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).to.deep.equal(['https://shop.example/help?a=1&b=2'])
    await page.keyboard.press('ArrowRight')
    await panel.getByText('#code { color: rgb(1, 2, 3) }').waitFor()
    await page.keyboard.press('ArrowRight')
    await panel.getByRole('row', { name: 'Subject Your sign-in code 482913' }).waitFor()
  })

  it('says whether SPF, DKIM and DMARC passed', async () => {
    await openNewMail()
    await reader().getByRole('tab', { name: 'Checks' }).click()
    const checks = reader().getByRole('list', { name: 'Mail authentication' })
    await checks.waitFor()
    expect(await checks.getByRole('listitem').allTextContents()).to.have.length(3)
    await checks.getByText('No DKIM signature').waitFor()
  })

  it('saves attachments and the mail, and previews images but no SVG', async () => {
    const id = await openNewMail()
    const [file] = await Promise.all([page.waitForEvent('download'), reader().getByRole('button', { name: 'Download photo.png' }).click()])
    expect(file.suggestedFilename()).to.equal('photo.png')
    const [mail] = await Promise.all([page.waitForEvent('download'), reader().getByRole('button', { name: 'Download .eml' }).click()])
    expect(mail.suggestedFilename()).to.equal('Your-sign-in-code-482913.eml')
    const { body: source } = await dashboard.app.api<Buffer>('GET', `/emails/${id}/raw`)
    const chunks: Buffer[] = []
    for await (const chunk of await mail.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).equals(source)).to.equal(true)
    expect(await reader().getByRole('button', { name: 'Preview page.svg' }).count()).to.equal(0)
    const preview = reader().getByRole('button', { name: 'Preview photo.png' })
    await preview.click()
    const image = page.getByRole('dialog').getByRole('img', { name: 'photo.png' })
    expect(await image.evaluate((shown: HTMLImageElement) => shown.decode().then(() => shown.naturalWidth))).to.equal(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await preview.evaluate((button) => button === document.activeElement)).to.equal(true)
  })

  it('stars and deletes the mail', async () => {
    const id = await openNewMail()
    await Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PATCH'), reader().getByRole('button', { name: 'Star', exact: true }).click()])
    await reader().getByRole('button', { name: 'Remove the star' }).waitFor()
    expect((await readEmail(id)).isStarred).to.equal(true)
    await reader().getByRole('button', { name: 'Delete', exact: true }).click() // which can be undone: see mail.test.ts
    await page.waitForURL((at) => !at.pathname.endsWith(id))
  })

  it('prints the mail alone, without scripts', async () => {
    await openNewMail()
    await frame().getByText('Foot').waitFor()
    const { sandbox, text } = await printed()
    expect(sandbox).to.equal('allow-same-origin allow-modals')
    expect(text.replaceAll(/\s+/g, ' ')).to.match(/^ ?Your sign-in code 482913 From: Shop <no-reply@shop\.example> To: .*Your code is 482913\..*Foot/)
    expect(await page.locator('iframe').count()).to.equal(1)
  })

  it('prints subject, sender and recipient so that none changes the direction of the others', async () => {
    await openMail(dashboard, page, {
      from: { name: '\u202Eelpmaxe.knab@ofni\u2067', address: 'eve@attacker.example' }, subject: 'Bill \u202Eeerf', text: 'Text \u202Eesrever',
    })
    await reader().waitFor()
    const { html } = await printed()
    expect(html).to.match(/^<pre><bdi>Bill \u202Eeerf<\/bdi> \n<bdi>From:<\/bdi> <bdi>\u202Eelpmaxe\.knab@ofni\u2067<\/bdi> <bdi>&lt;eve@attacker\.example&gt;<\/bdi> \n<bdi>To:/)
    expect(html).to.match(/<\/pre><hr>\s*<pre dir="auto">Text \u202Eesrever\s*<\/pre>/)
  })

  it('shows how far a sent mail is', async () => {
    const { app, url } = dashboard
    const { id } = await app.newAddress()
    const sent = await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'support@shop.example', subject: 'Order', body: 'Where is it?' } })
    await page.goto(`${url}/mail/${id}/${sent.body.data.id}`)
    await reader().getByRole('status', { name: 'Delivery' }).getByText('Captured: it stays on this server').waitFor()
  })

  it('says so, and offers a repetition, when a mail cannot be loaded', async () => {
    await page.goto(`${dashboard.url}/mail/all/019ceb98-1b9a-7099-8580-6b0d6f03675a`)
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no problem of accessibility that axe finds in ${colorScheme} colours`, async () => {
      await page.emulateMedia({ colorScheme })
      await openNewMail()
      await frame().getByText('Foot').waitFor()
      const { violations } = await new AxeBuilder({ page }).include('article').exclude('iframe').analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)).to.deep.equal([])
    })
  }
})
