import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { classicFile, documentFile } from '../../openapi/document.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'

export interface StockPrism extends AsyncDisposable {
  url: string
}

const require = createRequire(import.meta.url)
const program = require.resolve('@stoplight/prism-cli')

const files: Record<DialectName, URL> = { primary: documentFile, classic: classicFile }

/** The installed `prism mock openapi/openapi.yaml`, or the document of another dialect, on a free port of 127.0.0.1. */
export async function openStockPrism(dialect: DialectName = 'primary'): Promise<StockPrism> {
  const child = spawn(process.execPath, [program, 'mock', fileURLToPath(files[dialect]), '--host', '127.0.0.1', '--port', '0'], {
    env: { NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => { // keep reading: a full pipe would block the process
        output += String(text)
        const [, address] = /Prism is listening on (http:\S+)/.exec(output) ?? []
        if (address) resolve(address)
      })
    }
    closed.then(() => reject(new Error(`prism mock ended: ${output}`)), reject)
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await closed
    },
  }
}
