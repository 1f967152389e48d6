import { expect } from 'chai'
import { build } from 'esbuild'

/** What a bundle of this code holds, minified. */
async function bundle(code: string): Promise<string> {
  const { outputFiles: [file] } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname }, bundle: true, write: false, format: 'esm', minify: true, platform: 'browser',
  })
  return file!.text
}

describe('a bundle', () => {
  const verification = /whsec_|webhook-signature|x-service-signature|WebhookVerificationError/i

  it('of the client alone does not hold the verification of webhooks', async () => {
    const text = await bundle("import { Mayfly } from '@mayfly-mail/sdk'; new Mayfly()")
    expect(text).to.include('/api/v1/webhooks').and.not.match(verification)
  })

  it('of webhooks.verify alone does not hold the client', async () => {
    const text = await bundle("import { webhooks } from '@mayfly-mail/sdk'; webhooks.verify('', {}, '')")
    expect(text).to.match(verification).and.not.include('/api/v1/')
  })
})
