import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Client } from './clients.ts'

const pem = (name: string) => fileURLToPath(new URL(`../../test/support/self-signed/${name}.pem`, import.meta.url))

/** Imports the client and makes one call, in a new process, to a server on this machine, over TLS. In ms. */
export async function firstCall(folder: string, client: Client): Promise<{ imported: number, called: number }> {
  const server = createServer({ key: readFileSync(pem('key')), cert: readFileSync(pem('cert')) }, (_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(client.answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  writeFileSync(join(folder, 'first-call.js'), program(client, `https://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: pem('cert') }
  const { stdout } = await promisify(execFile)(process.execPath, ['first-call.js'], { cwd: folder, env })
  server.close()
  server.closeAllConnections()
  return JSON.parse(stdout)
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
