import { expect } from 'chai'
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

const folder = fileURLToPath(new URL('../../sdk', import.meta.url))

/** The size of a bundle of code that imports from the SDK, minified and compressed, in bytes. */
async function sizeOf(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder }, bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, logLevel: 'silent',
  })
  return brotliCompressSync(outputFiles[0]!.contents).length
}

describe('SDK: bundle size', () => {
  it('is at most 8,750 bytes for the client, minified and compressed', async () => {
    const size = await sizeOf("export { Mayfly } from './index.ts'")
    expect(size, `the client has ${size} bytes`).to.be.at.most(8_750)
  })

  it('grows only by the used exports', async () => {
    const size = await sizeOf("import { NotFoundError } from './index.ts'; export default NotFoundError")
    expect(size, `one class of errors has ${size} bytes`).to.be.at.most(600)
  })
})
