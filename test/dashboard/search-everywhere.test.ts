import { Mayfly } from '@mayfly-mail/sdk'
import { expect } from 'chai'
import type { SendMailOptions } from 'nodemailer'
import type { Page } from 'playwright-core'
import { mayfly } from '../cli/run.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

/** Mails by their subjects. */
const mails: Record<string, SendMailOptions & { to: string }> = {
  'Confirm your address': { from: 'Example Shop <no-reply@shop.example>', to: 'first', text: 'Your code is 482913.' },
  'Weekly news': { from: 'news@shop.example', to: 'first', text: 'Read https://shop.example/news?id=1 and unsubscribe from nothing.' },
  'Receipt 10': {
    from: 'Ada Bank <ada@bank.example>', to: 'second', text: 'The total is 12.30 EUR.', attachments: [{ filename: 'receipt.csv', content: 'a,b' }],
  },
  'Order confirmed': { from: 'Ada Bank <ada@bank.example>', to: 'second', text: 'Your order was confirmed today, and is sent tomorrow.' },
  'Grüße aus Köln': { from: 'zoe@travel.example', to: 'first', text: 'Schöne Grüße, und bis bald.' },
  'Large report': { from: 'zoe@travel.example', to: 'second', text: 'Line of the report.\n'.repeat(10_000) },
}

/** Of each query, the subjects that it finds. */
const queries: [query: string, found: string[]][] = [
  ['code', ['Confirm your address']],
  ['conf', ['Confirm your address', 'Order confirmed']],
  ['order confirmed', ['Order confirmed']],
  ['"confirmed today"', ['Order confirmed']],
  ['"today confirmed"', []],
  ['-confirmed conf', ['Confirm your address']],
  ['grüße', ['Grüße aus Köln']],
  ['KOLN', ['Grüße aus Köln']],
  ['482913', ['Confirm your address']],
  ['from:shop', ['Confirm your address', 'Weekly news']],
  ['from:ada', ['Order confirmed', 'Receipt 10']],
  ['from:"Example Shop"', ['Confirm your address']],
  ['-from:shop -from:ada', ['Grüße aus Köln', 'Large report']],
  ['to:first', ['Confirm your address', 'Grüße aus Köln', 'Weekly news']],
  ['to:second report', ['Large report']],
  ['subject:receipt', ['Receipt 10']],
  ['subject:total', []],
  ['total', ['Receipt 10']],
  ['has:code', ['Confirm your address']],
  ['has:link', ['Weekly news']],
  ['has:attachment', ['Receipt 10']],
  ['-has:attachment to:second', ['Large report', 'Order confirmed']],
  ['is:read', ['Weekly news']],
  ['is:unread from:shop', ['Confirm your address']],
  ['is:starred', ['Order confirmed']],
  ['-is:starred from:ada', ['Receipt 10']],
  ['larger:100kb', ['Large report']],
  ['after:2020-01-01 from:zoe', ['Grüße aus Köln', 'Large report']],
  ['before:2020-01-01', []],
  ['from:ada to:second is:unread "12.30"', ['Receipt 10']],
  ['absent', []],
]

describe('Dashboard: a search finds the same in the page, the SDK and the command line', function () {
  let dashboard: Dashboard
  let page: Page
  let client: Mayfly

  before(async () => {
    dashboard = await openDashboard()
    const { app } = dashboard
    for (const alias of ['first', 'second']) await app.newAddress({ alias: `${alias}-inbox` })
    for (const [subject, mail] of Object.entries(mails)) await app.send({ ...mail, subject, to: `${mail.to}-inbox@mail.localhost` })
    await app.settled()
    const idOf = async (subject: string) => (await app.listEmails()).find((email) => email.subject === subject)!.id
    await app.api('PATCH', `/emails/${await idOf('Weekly news')}`, { body: { isRead: true } })
    await app.api('PATCH', `/emails/${await idOf('Order confirmed')}`, { body: { isStarred: true } })
    client = new Mayfly({ baseUrl: app.url, apiKey: app.key })
    page = await dashboard.openPage({ viewport: { width: 1280, height: 800 } })
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const inOrder = (subjects: string[]) => subjects.toSorted()

  for (const [query, found] of queries) {
    it(query, async () => {
      const expected = inOrder(found)
      const { items } = await client.emails.list({ q: query })
      expect(inOrder(items.map(({ subject }) => subject)), 'SDK').to.deep.equal(expected)

      const variables = { HOME: '/nonexistent', MAYFLY_API_KEY: dashboard.app.key, MAYFLY_BASE_URL: dashboard.app.url }
      const { stdout } = await mayfly(['email', 'list', '--search', query, '--json'], variables)
      expect(inOrder((JSON.parse(stdout) as { subject: string }[]).map(({ subject }) => subject)), 'command').to.deep.equal(expected)

      await page.goto(`${dashboard.url}/mail/all?q=${encodeURIComponent(query)}`)
      await page.getByText(expected.length === 0 ? 'No mail has these words' : expected[0]!).first().waitFor()
      const rows = page.getByRole('listitem').filter({ has: page.locator('[data-mail]') })
      const shown = await rows.evaluateAll((all) => all.map((row) => row.textContent))
      const subjectsOf = (text: string) => Object.keys(mails).filter((subject) => text.includes(subject))
      expect(inOrder(shown.flatMap((text) => subjectsOf(text))), 'page').to.deep.equal(expected)
    })
  }
})
