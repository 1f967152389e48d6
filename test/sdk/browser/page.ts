import { Mayfly } from '@mayfly-mail/sdk'
import { describeSdk } from '../shared-suite.ts'
import { describePage } from './page-suite.ts'
import { recorder } from './recorder.ts'
import type { Host, Page, Settings } from './world.ts'

declare global {
  interface Window { settings: Settings, page: Page, askHost: (name: string, ...args: unknown[]) => Promise<any> }
}

const host: Host = {
  deliver: (...args) => window.askHost('deliver', ...args),
  agree: (...args) => window.askHost('agree', ...args),
  webhookDeliveries: () => window.askHost('webhookDeliveries'),
}
const { bdd, tests, befores, afters } = recorder()

describeSdk('the SDK in a browser', async () => {
  const { url: baseUrl, key, testKey } = window.settings
  return {
    ...host,
    sdk: new Mayfly({ apiKey: key, baseUrl }),
    testSdk: new Mayfly({ apiKey: testKey, baseUrl }),
    offers: () => true,
    hasClassic: true,
    [Symbol.asyncDispose]: async () => {},
  }
}, bdd)
describePage(() => ({ ...host, ...window.settings }), bdd)

window.page = {
  async begin() {
    for (const run of befores) await run()
  },
  async run(title) {
    try {
      await tests.get(title)!()
      return undefined
    } catch (error) {
      return error instanceof Error ? error.stack ?? error.message : String(error)
    }
  },
  async end() {
    for (const run of afters) await run()
  },
}
