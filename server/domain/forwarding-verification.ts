import type { App } from '../context.ts'
import { dayMs } from '../durations.ts'
import { inTransaction } from '../store/database.ts'
import { findByToken, markVerified } from '../store/addresses/forwarding-addresses.ts'
import type { LinkToken } from '../store/addresses/forwarding-addresses.ts'
import { digest, isToken, newToken } from './secret-token.ts'

/** The path of the page on which the owner of a forwarding address verifies it. */
export const verificationPath = '/verify-forwarding'

/** A verification link expires after this time. */
const linkLifetimeMs = dayMs

export interface VerificationLink {
  url: string
  token: LinkToken
}

/** A link with 256 random bits. Only the digest of its token is stored. */
export function newVerificationLink({ baseUrl, clock }: App): VerificationLink {
  const token = newToken()
  return {
    url: `${baseUrl()}${verificationPath}?token=${token}`,
    token: { hash: digest(token), expiresAt: clock.now() + linkLifetimeMs },
  }
}

/** The state of a verification link: `open` can be verified. */
export type LinkState = { kind: 'open' | 'verified' | 'expired', email: string } | { kind: 'unknown' }

/** Reads the state of a link without a change: malware scanners of mail follow its links. */
export async function readLink(app: App, token: string): Promise<LinkState> {
  const linked = isToken(token) ? await findByToken(app.db, digest(token)) : undefined
  if (!linked) return { kind: 'unknown' }
  const { email, isVerified, expiresAt } = linked
  return { kind: isVerified ? 'verified' : expiresAt <= app.clock.now() ? 'expired' : 'open', email }
}

/**
 * Verifies the address of a link.
 * @returns whether this call verified it, and the state of the link now
 */
export async function followLink(app: App, token: string): Promise<LinkState & { isNew: boolean }> {
  const isNew = isToken(token) && await inTransaction(app.db, (tx) => markVerified(tx, digest(token)))
  return { ...await readLink(app, token), isNew }
}
