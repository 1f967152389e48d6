import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { SendMailOptions } from 'nodemailer'
import type { Browser, BrowserContextOptions, FrameLocator, LaunchOptions, Page } from 'playwright-core'
import type { Email } from '../../server/contract/types.gen.ts'
import { createSignInLink } from '../../server/domain/sign-in-links.ts'
import { openTestApp } from './app.ts'
import type { TestApp } from './app.ts'
import { launchChromium } from './chromium.ts'

export interface Dashboard extends AsyncDisposable {
  /** The server, whose key is of the account that pages are signed in to. */
  app: TestApp
  /** Where the pages are, without a slash at the end. */
  url: string
  browser: Browser
  /** Makes a sign-in link. @param account id or address */
  linkOf(account: string): Promise<string>
  /**
   * Opens a page in a browser profile of its own, signed in by a link.
   * @param options.account id or address of an account, in place of the first one
   */
  openPage(options?: BrowserContextOptions & { account?: string }): Promise<Page>
}

interface DashboardOptions {
  env?: Record<string, string>
  launch?: LaunchOptions
  /** Beginnings of messages that the tests cause in the console. */
  messages?: string[]
}

/**
 * Opens the real server with the built dashboard, and a browser. Build and browser take seconds: one for all tests of a file. Disposing it
 * fails when a page had an error or a warning in its console, such as a violation of its Content Security Policy.
 */
export async function openDashboard({ env, launch, messages = [] }: DashboardOptions = {}): Promise<Dashboard> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../build/dashboard.ts', import.meta.url))])
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-browser-'))
  const app = await openTestApp({ isRealTime: true, ...env && { env } })
  const browser = await launchChromium({ env: { ...process.env, HOME: folder, TMPDIR: folder }, ...launch })
  const url = app.app.baseUrl()
  const problems: string[] = []
  const linkOf = async (account: string) => (await createSignInLink(app.app.db, url, account)).url
  return {
    app, url, browser, linkOf,
    async openPage({ account = app.account, ...options } = {}) {
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
      const page = await context.newPage()
      watchConsole(page, [...expected, ...messages], problems)
      await page.goto(await linkOf(account))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL((at) => at.pathname !== '/sign-in')
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
      expect(problems.join('\n'), 'console of the pages').to.equal('')
    },
  }
}

/** Sends a mail to a new address, and opens it in a page. */
export async function openMail({ app, url }: Dashboard, page: Page, mail: SendMailOptions): Promise<Email> {
  const { id, address } = await app.newAddress()
  await app.send({ ...mail, to: address })
  const email = await app.onlyEmail(id)
  await page.goto(`${url}/mail/${id}/${email.id}`)
  return email
}

/** The frame with the HTML of a mail. */
export const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe[title=Message]')

/** Messages that pages have without a fault: the browser reports each error status, and that axe cannot run in the frame of a mail. */
const expected = ['Failed to load resource: the server responded with a status of', "Blocked script execution in 'blob:"]

function watchConsole(page: Page, ignored: string[], problems: string[]): void {
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !ignored.some((text) => message.text().startsWith(text))) problems.push(`${new URL(page.url()).pathname}: ${message.text()}`)
  })
}
