import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import type { TlsPair } from '../../server/config/tls-pair.ts'
import { makeSelfSigned } from '../../server/self-signed.ts'

export interface TestPair extends TlsPair {
  fingerprint: string
}

/** A certificate that differs from each other one, with its key. */
export async function newPair(now = Date.now(), names = ['localhost']): Promise<TestPair> {
  const pem = await makeSelfSigned(names, { now, validityDays: 90 })
  const keyStart = pem.indexOf('-----BEGIN PRIVATE KEY')
  return { cert: pem.slice(0, keyStart), key: pem.slice(keyStart), fingerprint: new X509Certificate(pem).fingerprint256 }
}

/** Replaces the files of a pair, each by a rename, as certbot does. @returns the variables that name them */
export async function writePair(folder: string, pair: TlsPair): Promise<{ MAYFLY_TLS_CERT: string, MAYFLY_TLS_KEY: string }> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  for (const [path, text] of [[cert, pair.cert], [key, pair.key]] as const) {
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  }
  return { MAYFLY_TLS_CERT: cert, MAYFLY_TLS_KEY: key }
}
