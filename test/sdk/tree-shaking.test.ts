import { expect } from 'chai'
import { build } from 'esbuild'

/** The minified bundle of this code. */
async function bundle(code: string): Promise<string> {
  const { outputFiles: [file] } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname }, bundle: true, write: false, format: 'esm', minify: true, platform: 'browser',
  })
  return file!.text
}

describe('SDK: tree shaking', () => {
  const verification = /whsec_|webhook-signature|x-service-signature|WebhookVerificationError/i

  it('keeps the verification of webhooks out of a bundle of the client', async () => {
    const text = await bundle("import { Mayfly } from '@mayfly-mail/sdk'; new Mayfly()")
    expect(text).to.include('/webhooks').and.not.match(verification)
  })

  it('keeps the client out of a bundle of webhooks.verify', async () => {
    const text = await bundle("import { webhooks } from '@mayfly-mail/sdk'; webhooks.verify('', {}, '')")
    expect(text).to.match(verification).and.not.include('/addresses')
  })
})
