import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { openTestApp } from '../support/app.ts'
import { newPair, writePair } from '../support/certificates.ts'
import { freePort, openDnsServer } from '../support/dns-server.ts'
import { trust } from '../support/policy-server.ts'
import { shownCertificate } from './mailbox.ts'

const host = 'mx.example.com'

describe('SMTP certificate by ACME, from pebble, the authority for tests of Let\'s Encrypt', function () {
  this.timeout(60_000)
  const cleanups: (() => unknown)[] = []
  let [directory, httpPort, tlsPort] = ['', 0, 0]
  before(async function () {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-pebble-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    const pair = await newPair()
    cleanups.push(trust(pair))
    const { MAYFLY_TLS_CERT: certificate, MAYFLY_TLS_KEY: privateKey } = await writePair(folder, pair)
    const dns = await openDnsServer({ [host]: { A: ['127.0.0.1'] } })
    cleanups.push(() => dns[Symbol.asyncDispose]())
    const [port, management] = [await freePort(), await freePort()];
    [httpPort, tlsPort] = [await freePort(), await freePort()]
    directory = `https://localhost:${port}/dir`
    const config = join(folder, 'pebble.json')
    await writeFile(config, JSON.stringify({
      pebble: { listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${management}`, certificate, privateKey, httpPort, tlsPort },
    }))
    const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' }
    const pebble = spawn('pebble', ['-config', config, '-dnsserver', dns.servers], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    if (!await once(pebble, 'spawn').then(() => true, () => false)) return this.skip() // not installed
    cleanups.push(async () => {
      pebble.kill()
      await once(pebble, 'exit')
    })
    let told = ''
    while (!told.includes('ACME directory available')) told += String((await once(pebble.stdout, 'data') as [Buffer])[0])
    pebble.stdout.resume()
  })
  after(async () => { for (const cleanup of cleanups.reverse()) await cleanup() })

  for (const [way, variables] of [['HTTP', () => ({})], ['TLS', () => ({ MAYFLY_ACME_TLS_PORT: String(tlsPort) })]] as const) {
    it(`is ordered by a proof over ${way}`, async () => {
      const lines: string[] = []
      await using app = await openTestApp({
        isRealTime: true, log: pino({}, { write: (line) => { lines.push((JSON.parse(line) as { msg: string }).msg) } }),
        env: {
          MAYFLY_HTTP_PORT: String(httpPort), MAYFLY_MX_HOST: host, MAYFLY_ACME_EMAIL: 'ada@example.com', MAYFLY_ACME_DIRECTORY: directory,
          ...variables(),
        },
      })
      await app.app.smtp.reloadCertificate()
      const shown = await shownCertificate({ host: '127.0.0.1', port: app.app.smtp.port })
      expect(lines.filter((line) => line.startsWith('ACME'))).to.deep.equal([
        `ACME: a new certificate for ${host} is served, which ends on ${new Date(shown.validTo).toISOString().slice(0, 10)}`,
      ])
      expect(shown.issuer).to.match(/^CN=Pebble Intermediate CA /)
      expect(shown.subjectAltName).to.equal(`DNS:${host}`)
    })
  }
})
