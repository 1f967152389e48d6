import { readFile, stat } from 'node:fs/promises'
import type { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** PEM, as `tls.createSecureContext` takes it. */
export interface TlsPair {
  cert: string
  key: string
}

/** The paths of a certificate and its private key. */
export type TlsFiles = TlsPair

/** When ACME orders the next certificate, in milliseconds since 1970: with a third of the life of this one left. */
export const renewalTime = ({ validFromDate, validToDate }: X509Certificate): number =>
  validToDate.getTime() - (validToDate.getTime() - validFromDate.getTime()) / 3

export const unusablePair = 'are not a certificate and its private key in PEM'

/** Whether the private key is that of the certificate, and both are whole. */
export function isUsablePair({ cert, key }: TlsPair): boolean {
  try {
    createSecureContext({ cert, key })
    return true
  } catch {
    return false
  }
}

/**
 * Reads both files again. An error of a file that a client of certificates is about to replace is one of this moment.
 * @throws Error with the reason
 */
export async function readTlsPair(files: TlsFiles): Promise<TlsPair> {
  const [cert, key] = await Promise.all([readPem(files.cert), readPem(files.key)])
  if (!isUsablePair({ cert, key })) throw new Error(unusablePair)
  return { cert, key }
}

/** Reads regular files only: the opening of a FIFO, which worked at the start, would wait for another writer. */
async function readPem(path: string): Promise<string> {
  try {
    if ((await stat(path)).isFile()) return await readFile(path, 'utf8')
  } catch {
    // answered below
  }
  throw new Error(`the file ${path} cannot be read`)
}
