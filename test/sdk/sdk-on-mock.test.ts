import { Mayfly } from '@mayfly-mail/sdk'
import { openMock } from '../support/mock.ts'
import { describeSdk } from './shared-suite.ts'

describeSdk('the SDK on the mock', async () => {
  const mock = await openMock()
  const sdk = new Mayfly({ apiKey: 'svc_test_mock', baseUrl: mock.url })
  return {
    sdk,
    testSdk: sdk,
    offers: () => true,
    hasClassic: true,
    agree: async () => {}, // the mock has a verified forwarding address
    deliver: async () => {}, // the mock has this mail from the start
    [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose](),
  }
})
