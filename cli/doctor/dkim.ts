import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { SigningKey } from '../../server/config/config.ts'
import { isPublic, notAsked, ok, sendingProblem, txtRecord, warning } from './check.ts'
import type { Check } from './check.ts'

const howToMake = 'Make a key with "openssl genrsa -out dkim.pem 2048", let MAYFLY_DKIM_KEY name the file, restart the server and run this again: it says which record to set.'

/** Receivers check signatures by the public key in the DNS (RFC 6376). */
export const dkim: Check = {
  name: 'dkim',
  appliesTo: isPublic,
  async run(context) {
    const key = context.config.signingKey
    if (!key) return warning('no MAYFLY_DKIM_KEY, so mail is not signed', howToMake)
    const name = `${key.selector}._domainkey.${key.domain}`
    const record = publicRecord(key)
    const set = txtRecord(name, record.text)
    const wrong = sendingProblem(context)
    const found = await context.resolver.txt(name)
    if (found.kind === 'unknown') return notAsked(`The DKIM record ${name}`, found)
    if (found.kind === 'none') return wrong(`${name} does not exist, so signatures cannot be checked`, set)
    if (found.records.length > 1) return wrong(`${name} has ${found.records.length} TXT records`, 'Leave the one of this key.')
    const shown = readTags(found.records[0]!)
    if (shown.p === '') return wrong(`${name} says that its key is withdrawn`, set)
    if ((shown.k ?? 'rsa') !== record.kind || !record.keys.includes(shown.p!)) return wrong(`${name} shows another key than that of MAYFLY_DKIM_KEY`, set)
    return ok(`${name} shows the key of MAYFLY_DKIM_KEY`)
  },
}

function publicRecord({ privateKey }: SigningKey) {
  const key = createPublicKey(privateKey)
  const kind = key.asymmetricKeyType!
  const keys = kind === 'rsa' ? [der(key, 'spki'), der(key, 'pkcs1')] : [rawEd25519(key)]
  return { kind, keys, text: `v=DKIM1; k=${kind}; p=${keys[0]}` }
}

const der = (key: KeyObject, type: 'spki' | 'pkcs1') => key.export({ type, format: 'der' }).toString('base64')

/** RFC 8463, section 4.2. */
const rawEd25519 = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64')

/** `v=DKIM1; k=rsa; p=…` without white space in the values. */
const readTags = (record: string): Record<string, string | undefined> => Object.fromEntries(
  record.split(';').map((tag) => /^\s*(\w+)\s*=(.*)$/s.exec(tag)).filter((tag) => tag !== null)
    .map(([, name, value]) => [name!, value!.replace(/\s+/g, '')]),
)
