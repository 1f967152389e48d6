import type { Authorization, Client, Order } from 'acme-client'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ConfigError } from '../config/config.ts'
import type { Acme } from '../config/config.ts'
import { pause, withDeadline } from '../deadline.ts'
import { makeSelfSigned } from '../self-signed.ts'
import { toSingleLine } from './reasons.ts'

/** Installed by those who need it, since it brings 40 packages. The executable has it. */
const acmePackage = 'acme-client@5.4.0'

/** For one request, for all of an order, and between two looks at what the authority does. */
const [requestMs, orderMs, lookMs] = [20_000, 300_000, 1_000]

export interface AcmeOrder {
  /** The name that the certificate is for. */
  host: string
  /** That of the account, PEM. */
  accountKey: string
  /**
   * Has this server show a proof before the authority asks for it: the text at `/.well-known/acme-challenge/` (RFC 8555, section 8.3), or
   * with `tlsPort` the certificate (RFC 8737, section 3) and its key, PEM.
   */
  show(proof: string): Promise<void>
  signal: AbortSignal
}

export interface AcmeClient {
  /** That of the authority. */
  host: string
  /**
   * Orders a certificate, with a key of its own.
   * @returns the certificate with those of its issuers, and its private key, PEM
   * @throws Error that says what the authority refused
   */
  order(order: AcmeOrder): Promise<string>
}

/** @throws ConfigError that says how to install the client of the protocol, where it is not installed */
export async function openAcme(acme: Acme): Promise<AcmeClient> {
  const library = await loadLibrary()
  const timeoutReason = new Error(`it did not come to an end within ${orderMs / 1000} seconds`)
  return {
    host: new URL(acme.directory).host,
    order: ({ signal: closing, ...options }) => withDeadline({ timeoutMs: orderMs, timeoutReason, signal: closing }, async (signal) => {
      try {
        return await order(library, { ...acme, ...options, signal })
      } catch (error) {
        signal.throwIfAborted()
        const { message, code } = error as NodeJS.ErrnoException
        throw new Error(toSingleLine(message || String(code)), { cause: error })
      }
    }),
  }
}

type Library = typeof import('acme-client')

async function loadLibrary(): Promise<Library> {
  try {
    return (await import('acme-client')).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ConfigError(`MAYFLY_ACME_EMAIL: needs a package that is not installed: npm install --no-save --save-prod ${acmePackage}`)
  }
}

async function order(
  { axios, Client }: Library, { directory, email, tlsPort, host, accountKey, show, signal }: AcmeOrder & Acme,
): Promise<string> {
  Object.assign(axios.defaults, { timeout: requestMs, signal }) // the client takes neither
  // by these, it would ask a busy authority again after hours, and lose the reason of a failed connection
  for (const interceptors of [axios.interceptors.request, axios.interceptors.response]) interceptors.clear()
  const client = new Client({ directoryUrl: directory, accountKey })
  await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${email}`] })
  const ordered = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] })
  const asked = await authorizationOf(client, ordered)
  if (asked.status === 'pending') {
    const type = tlsPort === null ? 'http-01' : 'tls-alpn-01'
    const challenge = asked.challenges.find((each) => each.type === type)
    if (!challenge) throw new Error(`it does not take the proof ${type}`)
    const proof = await client.getChallengeKeyAuthorization(challenge)
    await show(tlsPort === null ? proof : await makeSelfSigned([host], { now: Date.now(), validityDays: 7, acmeProof: proof }))
    await client.completeChallenge(challenge)
    const proven = await settled(() => authorizationOf(client, ordered), signal)
    expectValid(proven, proven.challenges.find((each) => each.error)?.error)
  }
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  await client.finalizeOrder(ordered, requestFor(host, key))
  const issued = await settled(() => client.getOrder(ordered), signal)
  expectValid(issued, issued.error)
  return `${(await client.getCertificate(issued)).trim()}\n${key.export({ type: 'pkcs8', format: 'pem' }).toString()}`
}

const authorizationOf = async (client: Client, order: Order): Promise<Authorization> => (await client.getAuthorizations(order))[0]!

/** Waits until the authority has decided. */
async function settled<Found extends { status: string }>(read: () => Promise<Found>, signal: AbortSignal): Promise<Found> {
  for (;;) {
    const found = await read()
    if (!['pending', 'processing', 'ready'].includes(found.status)) return found
    await pause(lookMs, signal)
  }
}

function expectValid({ status }: { status: string }, problem: object | undefined) {
  if (status !== 'valid') throw new Error((problem as { detail?: string } | undefined)?.detail ?? `it says that the order is ${status}`)
}

/**
 * A request for a certificate (RFC 2986, section 4), with the name as its only extension, PEM. That of the client takes one version of
 * `@peculiar/asn1-schema`, and beside that of mailauth it gets two.
 */
function requestFor(host: string, key: KeyObject): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const extensions = der(0x30, der(0x30, oids.subjectAltName, der(0x04, der(0x30, der(0x82, Buffer.from(host))))))
  const info = der(0x30, der(0x02, Buffer.of(0)), der(0x30), spki, der(0xa0, der(0x30, oids.extensionRequest, der(0x31, extensions))))
  const request = der(0x30, info, der(0x30, oids.ecdsaWithSha256), der(0x03, Buffer.of(0), sign('sha256', info, key)))
  return `-----BEGIN CERTIFICATE REQUEST-----\n${request.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
}

const oids = {
  subjectAltName: Buffer.from('0603551d11', 'hex'),
  extensionRequest: Buffer.from('06092a864886f70d01090e', 'hex'),
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
}

/** A value with its tag and length. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), value])
}
