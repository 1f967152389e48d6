import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** A Node executable, of which nodejs.org has the original. */
interface NodeBinary {
  path: string
  /** Such as `v24.21.0`. */
  version: string
  /** Such as `linux-x64` or `win-x64`. */
  system: string
}

/**
 * Compares a Node executable with that of nodejs.org: npm packages of others bring it, and `npm run build` puts it into the executable.
 * @param from the releases: an archive for each system, and the SHA-256 of each archive in a text
 * @throws Error when it differs, or the archive does not have its published sum
 */
export async function compareNode({ path, version, system }: NodeBinary, from = 'https://nodejs.org/dist'): Promise<void> {
  const name = `node-${version}-${system}`
  const sums = String(await download(`${from}/${version}/SHASUMS256.txt`))
  const publishedSumOf = (file: string): string => {
    const [sum] = sums.split('\n').map((line) => line.split(/ [ *]/)).find(([, name]) => name === file) ?? []
    if (sum === undefined) throw new Error(`${from} has no sum of ${file}`)
    return sum
  }
  if (system.startsWith('win')) { // the sum of the executable itself is published
    const file = `${system}/node.exe`
    if (sumOf(readFileSync(path)) !== publishedSumOf(file)) throw new Error(`${path} is not ${file}`)
    return
  }
  const published = publishedSumOf(`${name}.tar.gz`)
  const archive = await download(`${from}/${version}/${name}.tar.gz`)
  if (sumOf(archive) !== published) throw new Error(`${name}.tar.gz has the sum ${sumOf(archive)}, and its published one is ${published}`)
  const original = execFileSync('tar', ['--extract', '--gzip', '--to-stdout', '--file', '-', `${name}/bin/node`], { input: archive, maxBuffer: 1024 ** 3 })
  if (sumOf(original) !== sumOf(readFileSync(path))) throw new Error(`${path} is not the executable of ${name}.tar.gz`)
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** `npm run node -- build/compare-node.ts`: compares the Node that runs this, which is that of the executable. */
if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  await compareNode({ path: process.execPath, version: process.version, system: `${process.platform.replace('win32', 'win')}-${process.arch}` })
  console.log(`${process.execPath} is that of nodejs.org, ${process.version}`)
}
