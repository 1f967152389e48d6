import type { Bit, Mode } from './values.ts'

/** Addresses, their domains, and where their mail is forwarded. */
export interface AddressTables {
  addresses: AddressRow
  /** `account_id` is null for the name of an address whose account was deleted. */
  address_names: { address: string, domain_id: string, account_id: string | null, released_at: number | null }
  domains: DomainRow
  forwarding_addresses: ForwardingAddressRow
  forwarding_rules: ForwardingRuleRow
  /** The entry is JSON. Removed with its address. */
  smtp_activity: { address_id: string, id: string, account_id: string, entry: string }
  /** Removed with its address. */
  share_links: ShareLinkRow
}

export interface AddressRow {
  id: string
  account_id: string
  mode: Mode
  address: string
  alias: string
  created_at: number
  expires_at: number
  is_expired: Bit
  domain_id: string | null
  /** 0 after the domain was removed or has lost its verification. Follows the domain in steps (`domain/domains.ts`). */
  is_bound: Bit
  /** SHA-256 of the password of its SMTP login, as hexadecimal digits; null without a login. */
  smtp_login_hash: string | null
  last_login_at: number | null
  /** Of received emails, the oldest beyond this number are removed; null for all. */
  max_emails: number | null
  /** The steps that are left of its SMTP faults, as JSON; null without any. */
  smtp_faults: string | null
  /** Patterns of senders, as JSON; null for none. */
  allowed_senders: string | null
  blocked_senders: string | null
}

export interface DomainRow {
  id: string
  account_id: string
  mode: Mode
  domain: string
  token: string
  status: 'pending' | 'verified'
  created_at: number
  verified_at: number | null
  /** When it was added, lost its verification, or was last asked to be checked: its checks are planned from there. */
  pending_since: number
  /** Checks in a row that found a record missing. */
  failures: number
  /** Id of the job that checked it last, and the results of that check, as JSON. */
  checked_by: string | null
  findings: string | null
  /** The address that gets mail to names that were not issued. */
  catch_all_id: string | null
}

export interface ForwardingAddressRow {
  id: string
  account_id: string
  mode: Mode
  email: string
  token_hash: string
  token_expires_at: number
  verified_at: number | null
  created_at: number
}

export interface ForwardingRuleRow {
  address_id: string
  id: string
  forward_to_id: string | null
  filter_sender: string | null
  filter_subject: string | null
  is_active: Bit
}

export interface ShareLinkRow {
  id: string
  address_id: string
  /** SHA-256 of the token, in hex. */
  hash: string
  created_at: number
  expires_at: number
}
