import type { AuthenticateResult } from 'mailauth'
import type { SigningKey } from '../config.ts'

/** The key of a seal, as mailauth takes it. */
export const toSeal = (key: SigningKey) => ({ signingDomain: key.domain, selector: key.selector, privateKey: key.privateKey })

/** Returns the three header fields of our ARC seal; null when mailauth returned anything else, against header injection. */
export function arcOf({ headers }: AuthenticateResult): string | null {
  const fields = headers.split(/\r\n(?![ \t])/).filter((field) => /^ARC-/i.test(field))
  const isWhole = fields.length === 3 && fields.every((field) => /^[^\r\n\0]*(\r\n[ \t][^\r\n\0]*)*$/.test(field))
  return isWhole ? fields.map((field) => `${field}\r\n`).join('') : null
}
