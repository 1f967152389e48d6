import type { Authentication } from '../contract/types.gen.ts'

export interface AuthenticatedMail {
  /** Null for a mail that was not received over the network. */
  results: Authentication | null
  /** Header fields of the ARC seal (RFC 8617); null without a key, and for a mail that cannot be sealed. */
  arc: string | null
}

/** The results for a mail that could not be checked. */
export const unchecked: Authentication = {
  spf: { result: 'temperror', domain: null },
  dkim: [],
  dmarc: { result: 'temperror', domain: null, policy: null },
}
