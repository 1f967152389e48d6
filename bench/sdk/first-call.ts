import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Client } from './clients.ts'
import { median } from './median.ts'

const pem = (name: string) => fileURLToPath(new URL(`../../test/support/self-signed/${name}.pem`, import.meta.url))

/** Imports the client and makes one call, each time in a new process, to a server of ours on this machine, over TLS. Medians, in ms. */
export async function firstCall(folder: string, client: Client, runs: number): Promise<{ imported: number, called: number }> {
  const server = createServer({ key: readFileSync(pem('key')), cert: readFileSync(pem('cert')) }, (_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(client.answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  writeFileSync(join(folder, 'first-call.js'), program(client, `https://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const { PATH } = process.env
  const env = { PATH, NODE_EXTRA_CA_CERTS: pem('cert') }
  const results: { imported: number, called: number }[] = []
  for (let i = 0; i < runs; i++) {
    const { stdout } = await promisify(execFile)(process.execPath, ['first-call.js'], { cwd: folder, env })
    results.push(JSON.parse(stdout))
  }
  server.close()
  server.closeAllConnections()
  return { imported: median(results.map(({ imported }) => imported)), called: median(results.map(({ called }) => called)) }
}

const program = ({ name, imported, list, prepare = '' }: Client, url: string) => `
const url = '${url}'
const begin = performance.now()
const ${imported} = await import('${name}')
const imported = performance.now() - begin
${prepare}
const call = performance.now()
await ${list}
console.log(JSON.stringify({ imported, called: performance.now() - call }))
process.exit()
`
