import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { dayMs } from './clock.ts'

/**
 * Makes a self-signed certificate of a server (RFC 5280, section 4.1), for ECDSA with P-256, which every TLS library has. It has
 * `CA: false`, so a client that trusts it cannot be deceived by certificates signed with its key.
 * @param names host names and IP addresses
 * @param options.now milliseconds since 1970
 * @returns the certificate and its private key, PEM
 */
export async function makeSelfSigned(names: string[], validity: Validity): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = await signCertificate(names, createPublicKey(privateKey), privateKey, validity)
  return `${new X509Certificate(der).toString()}${privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()}`
}

interface Validity {
  now: number
  validityDays: number
  /** Makes it the proof for an authority of certificates (RFC 8737, section 3). */
  acmeProof?: string
}

/** @param signer the private key of the issuer, which has no name of its own. @returns DER */
export async function signCertificate(
  names: string[], key: KeyObject, signer: KeyObject, { now, validityDays, acmeProof }: Validity,
): Promise<Buffer> {
  const { AsnConvert, OctetString } = await import('@peculiar/asn1-schema')
  const x509 = await import('@peculiar/asn1-x509')
  const publicKey = key.export({ type: 'spki', format: 'der' })
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
      ...acmeProof === undefined ? [] : [extension(acmeIdentifier, new OctetString(createHash('sha256').update(acmeProof).digest()), true)],
    ]),
  })
  const signatureValue = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer)
  return Buffer.from(AsnConvert.serialize(new x509.Certificate({
    tbsCertificate, signatureAlgorithm: tbsCertificate.signature, signatureValue: new Uint8Array(signatureValue).buffer,
  })))
}

const acmeIdentifier = '1.3.6.1.5.5.7.1.31'
const commonName = '2.5.4.3'
const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

/** Positive (RFC 5280, section 4.1.2.2), and of one length. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16)
  bytes[0] = bytes[0]! & 0x3f | 0x40
  return new Uint8Array(bytes).buffer
}
