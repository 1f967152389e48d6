import { expect } from 'chai'
import { build } from 'esbuild'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { buildSdk } from '../../build/sdk.ts'
import { filesAtStart } from '../../build/start-files.ts'

/** Bytes of a program's bundle, minified and compressed: of the files that load at its start, and of each that loads at a first use. */
interface Sizes {
  start: number
  later: Record<string, number>
}

const hashes = /-[A-Z0-9]{8}(?=\.js)/g

describe('SDK: bundle size', function () {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-size-'))
    await buildSdk(folder)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  /** Bundles a program that uses the package as it is published. @param splitting false for one file */
  async function sizesOf(code: string, splitting = true): Promise<Sizes> {
    const { outputFiles, metafile } = await build({
      stdin: { contents: code, resolveDir: folder, sourcefile: 'program' }, outdir: folder, absWorkingDir: folder, bundle: true, minify: true, splitting,
      format: 'esm', target: 'es2022', metafile: true, write: false, logLevel: 'silent',
    })
    // the hashes in names of files would make a difference of 40 bytes
    const bytes = new Map(outputFiles.map(({ path, text }) => [basename(path), brotliCompressSync(text.replaceAll(hashes, '')).length]))
    const atStart = filesAtStart(metafile)
    const later = [...bytes].filter(([name]) => !atStart.has(name)).map(([name, size]) => [name.replace(hashes, ''), size])
    return { start: [...atStart].reduce((sum, name) => sum + bytes.get(name)!, 0), later: Object.fromEntries(later) }
  }

  it('is at most 8,520 bytes for the client, in the files that load at the start', async () => {
    const { start } = await sizesOf("export { Mayfly } from './index.mjs'")
    expect(start, `the client has ${start} bytes`).to.be.at.most(8_520)
  })

  it('is at most 2,390 bytes for waits and 1,150 for the stream of events, which load at their first use', async () => {
    const { later } = await sizesOf("export { Mayfly } from './index.mjs'")
    expect(Object.keys(later).sort()).to.deep.equal(['subscribe.js', 'wait-for.js'])
    expect(later['wait-for.js'], `waits have ${later['wait-for.js']} bytes`).to.be.at.most(2_390)
    expect(later['subscribe.js'], `the stream has ${later['subscribe.js']} bytes`).to.be.at.most(1_150)
  })

  it('is at most 11,400 bytes for a bundler that makes one file of all', async () => {
    const { start, later } = await sizesOf("export { Mayfly } from './index.mjs'", false)
    expect(later).to.deep.equal({})
    expect(start, `one file has ${start} bytes`).to.be.at.most(11_400)
  })

  it('grows only by the used exports, in one file', async () => {
    const { start } = await sizesOf("import { NotFoundError } from './index.mjs'; export default NotFoundError", false)
    expect(start, `one class of errors has ${start} bytes`).to.be.at.most(600)
  })
})
