import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { passwordOf } from './database-url.ts'

/** The checks of settings that name a file, which is read. */

function optionalFile(path: string) {
  if (!path) return ''
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`the file ${path} cannot be read`)
  }
}

export const passwordFile = (path: string) => passwordOf(path, optionalFile(path))

export function privateKey(path: string) {
  const pem = optionalFile(path)
  if (!pem) return ''
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    if (asymmetricKeyType === 'ed25519' || asymmetricKeyType === 'rsa' && asymmetricKeyDetails!.modulusLength! >= 1024) return pem
  } catch {
    // answered below
  }
  throw new Error(`the file ${path} is not a private key in PEM, RSA of at least 1024 bits or Ed25519`)
}

export const pemFile = (path: string) => ({ path, text: optionalFile(path) })
