/**
 * Signs up at the shop, in a browser, with the code that the shop mails. `npm start` runs the Mayfly that it mails to, then
 *
 *     MAYFLY_API_KEY=svc_live_… npx playwright test -c examples/sign-up
 *
 * SHOP_URL says where the shop is, if it runs already. The browser comes with a package; nothing has to be installed for it.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { MayflyTestArgs, MayflyWorkerArgs } from '@mayfly-mail/sdk/playwright'
import chromium from '@sparticuz/chromium'

const { SHOP_URL } = process.env

export default defineConfig<MayflyTestArgs, MayflyWorkerArgs>({
  fullyParallel: true,
  outputDir: join(tmpdir(), 'mayfly-sign-up'),
  use: {
    baseURL: SHOP_URL ?? 'http://127.0.0.1:4020',
    // of chromium.args, which are for AWS Lambda, the flag with which root can run it
    launchOptions: { executablePath: await chromium.executablePath(), args: ['--no-sandbox'] },
  },
  webServer: SHOP_URL ? undefined : {
    command: 'node main.ts',
    url: 'http://127.0.0.1:4020',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 2_000 },
  },
})
