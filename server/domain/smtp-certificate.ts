import { createPublicKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { atIntervals, dayMs } from '../clock.ts'
import type { App } from '../context.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { readSmtpCertificate, replaceSmtpCertificate } from '../store/secrets.ts'
import { loginHost } from './smtp-logins.ts'

/** PEM, as `tls.createSecureContext` takes it. */
export interface TlsPair {
  cert: string
  key: string
}

/** Long, because clients have a copy of the certificate and would refuse the next one. */
const validityDays = 3650
const renewalDays = 30
const renewalCheckMs = dayMs

/**
 * The self-signed certificate of the ports for logins; made once for a database, so that all nodes have the same, and a back-up has it too.
 * On SQLite it is also a file beside the database, without its key, for clients.
 * @param onRenewed called with the next one, while the server runs
 * @returns a function that ends its renewal
 */
export async function openSmtpCertificate(app: App, onRenewed: (pair: TlsPair) => void): Promise<{ pair: TlsPair, close(): void }> {
  let pair = await ensureSmtpCertificate(app)
  const renew = async () => {
    const next = await ensureSmtpCertificate(app)
    if (next.cert === pair.cert) return
    pair = next
    onRenewed(pair)
  }
  const close = atIntervals(app.clock, renewalCheckMs, () => {
    renew().catch((error: unknown) => app.log.error({ err: error }, 'the certificate of the SMTP ports for logins could not be renewed'))
  })
  return { pair, close }
}

async function ensureSmtpCertificate(app: App): Promise<TlsPair> {
  const names = [...new Set([app.config.mxHost, loginHost(app).replace(/^\[|\]$/g, ''), 'localhost', '127.0.0.1', '::1'])]
  const stored = await readSmtpCertificate(app.db)
  const pair = splitPem(stored !== undefined && isUsable(stored, names, app.clock.now()) ? stored : await replace(app, stored, names))
  if (app.db.engine.file) await writeCertificate(app, `${app.config.database}-smtp.pem`, pair.cert)
  return pair
}

async function replace({ db, clock }: App, stored: string | undefined, names: string[]): Promise<string> {
  const made = await makeCertificate(names, clock.now())
  return inTransaction(withReserve(db), (tx) => replaceSmtpCertificate(tx, stored, made))
}

function isUsable(pem: string, names: string[], now: number): boolean {
  const found = new X509Certificate(pem)
  return found.validToDate.getTime() - now > renewalDays * dayMs && found.validFromDate.getTime() <= now
    && names.every((name) => isIP(name) ? found.checkIP(name) : found.checkHost(name))
}

const splitPem = (pem: string): TlsPair => {
  const keyStart = pem.indexOf('-----BEGIN PRIVATE KEY')
  return { cert: pem.slice(0, keyStart), key: pem.slice(keyStart) }
}

/** Without the file the server works: `openssl s_client -showcerts` shows the certificate as well. */
async function writeCertificate({ log }: App, path: string, cert: string) {
  try {
    if (await readFile(path, 'utf8').catch(() => '') !== cert) await writeFile(path, cert)
  } catch (error) {
    log.warn({ err: error }, 'the file with the certificate of the SMTP ports for logins cannot be written')
  }
}

/**
 * Makes a self-signed certificate of a server (RFC 5280, section 4.1), for ECDSA with P-256, which every TLS library has. It is not one of
 * an authority, so its key vouches for no other name where it is trusted.
 * @param names host names and IP addresses
 * @param now milliseconds since 1970
 * @returns the certificate and its private key, PEM
 */
async function makeCertificate(names: string[], now: number): Promise<string> {
  const { AsnConvert, OctetString } = await import('@peculiar/asn1-schema')
  const x509 = await import('@peculiar/asn1-x509')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const name = new x509.Name([new x509.RelativeDistinguishedName([
    new x509.AttributeTypeAndValue({ type: commonName, value: new x509.AttributeValue({ utf8String: 'Mayfly SMTP' }) }),
  ])])
  const extension = (id: string, value: unknown, critical = false) =>
    new x509.Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serialNumber(),
    signature: new x509.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    issuer: name,
    subject: name,
    validity: new x509.Validity({ notBefore: new Date(now - dayMs), notAfter: new Date(now + validityDays * dayMs) }),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions([
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: false }), true),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), true),
      extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
      extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(
        names.map((name) => new x509.GeneralName(isIP(name) ? { iPAddress: name } : { dNSName: name })))),
    ]),
  })
  const signatureValue = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey)
  const der = AsnConvert.serialize(new x509.Certificate({
    tbsCertificate, signatureAlgorithm: tbsCertificate.signature, signatureValue: new Uint8Array(signatureValue).buffer,
  }))
  return `${new X509Certificate(Buffer.from(der)).toString()}${privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()}`
}

const commonName = '2.5.4.3'
const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

/** Positive (RFC 5280, section 4.1.2.2), and of one length. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16)
  bytes[0] = bytes[0]! & 0x3f | 0x40
  return new Uint8Array(bytes).buffer
}
