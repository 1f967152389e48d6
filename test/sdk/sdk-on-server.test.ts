import { Mayfly } from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import { describeSdk } from './shared-suite.ts'

/** Grows with the server. */
const offered = /^(addresses\..*|emails\.(list|get|update|delete|raw|attachment))$/

describeSdk('the SDK on the server', async () => {
  const app = await openTestApp()
  return {
    sdk: new Mayfly({ apiKey: app.key, baseUrl: app.url }),
    offers: (operationId) => offered.test(operationId),
    deliver: (to, source) => app.send({ envelope: { from: 'no-reply@shop.example', to }, raw: source }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
})
