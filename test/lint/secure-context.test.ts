import { expect } from 'chai'
import { problemsOf } from '../support/lint-problems.ts'

describe('APIs of secure contexts: plain HTTP', () => {
  for (const [code, rule] of [
    ['const id = crypto.randomUUID()', 'no-restricted-properties'],
    ['const { randomUUID } = globalThis.crypto', 'no-restricted-properties'],
    ['await window.navigator.clipboard.writeText(text)', 'no-restricted-properties'],
    ['await navigator.locks.request(name, lead)', 'no-restricted-properties'],
    ['new Notification(text)', 'no-restricted-globals'],
  ] as const) {
    it(`refuses ${code} in what runs in a browser`, async () => {
      for (const file of ['dashboard/src/main.tsx', 'sdk/mayfly.ts', 'server/http/pages/reference.js']) {
        expect((await problemsOf(code, file, rule)).join()).to.include('Browsers have this on HTTPS and localhost alone')
      }
      expect(await problemsOf(code, 'server/version.ts', rule)).to.deep.equal([])
    })
  }
})
