import { expect } from 'chai'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Result } from '../../cli/doctor/diagnose.ts'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsRecords, DnsServer, DnsZone } from '../support/dns-server.ts'
import type { Variables } from './run.ts'

export const domain = 'burrow.example.org'
export const host = 'mx.burrow.example.org'
export const selector = `mayfly._domainkey.${domain}`
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

/** A certificate for the host, valid from 2020 to 2120. */
export const pem = (name: string) => fileURLToPath(new URL(`certificate/${name}.pem`, import.meta.url))

/** Correct records. */
export const goodZone = () => ({
  [domain]: { MX: [{ exchange: host, priority: 10 }], TXT: ['v=spf1 mx -all', 'something else'] },
  [host]: { A: ['192.0.2.25'], AAAA: ['2001:db8::25'] },
  [selector]: { TXT: [`v=DKIM1; k=rsa; p=${spki}`] },
  [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject'] },
  '25.2.0.192.in-addr.arpa': { PTR: [host] },
  [`5.2${'.0'.repeat(22)}.8.b.d.0.1.0.0.2.ip6.arpa`]: { PTR: [host] },
  'api.burrow.example.org': { A: ['192.0.2.80'] },
}) satisfies Record<string, DnsRecords>

interface DoctorWorld {
  folder: string
  /** Its records are correct when a test begins. */
  dns: DnsServer
}

/** A folder and a name server for the tests of a suite. */
export function useDoctorWorld() {
  const world = {} as DoctorWorld
  before(async () => {
    world.folder = await mkdtemp(join(tmpdir(), 'mayfly-doctor-'))
    world.dns = await openDnsServer()
    await writeFile(join(world.folder, 'dkim.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  })
  after(async () => {
    await world.dns[Symbol.asyncDispose]()
    await rm(world.folder, { recursive: true })
  })
  beforeEach(() => setZone(goodZone()))

  function setZone(zone: DnsZone) {
    for (const name of Object.keys(world.dns.zone)) delete world.dns.zone[name]
    Object.assign(world.dns.zone, zone)
  }
  const local = (): Variables => ({
    MAYFLY_DATABASE: join(world.folder, 'new', 'mayfly.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0',
  })
  /** A correctly configured server on the internet. */
  const inPublic = (): Variables => ({
    ...local(),
    MAYFLY_TLS_CERT: pem('cert'),
    MAYFLY_TLS_KEY: pem('key'),
    MAYFLY_SMTP_HOST: '0.0.0.0',
    MAYFLY_DEFAULT_DOMAIN: domain,
    MAYFLY_MX_HOST: host,
    MAYFLY_BASE_URL: 'https://api.burrow.example.org',
    MAYFLY_OUTBOUND: 'direct',
    MAYFLY_DKIM_KEY: join(world.folder, 'dkim.pem'),
    MAYFLY_DNS_SERVERS: world.dns.servers,
  })
  /** The findings with problems or warnings. */
  async function complaints(variables: Variables): Promise<Result[]> {
    return (await diagnose(variables)).filter(({ status }) => status !== 'ok')
  }
  async function finding(name: string, variables: Variables, now?: number): Promise<Result> {
    const found = (await diagnose(variables, now)).filter((result) => result.name === name)
    expect(found).to.have.length(1)
    return found[0]!
  }

  return { world, setZone, local, inPublic, complaints, finding }
}
