import type { DialectName } from '../../dialects/dialects.ts'
import type { Bit, Mode, Plan, Role } from './values.ts'

/** Accounts, their keys, and the records of their calls. */
export interface AccountTables {
  accounts: AccountRow
  api_keys: ApiKeyRow
  /** The last use of each key that was used. */
  api_key_uses: { api_key_id: string, used_at: number }
  /** One row: increases with each change of a key or an account. */
  api_key_version: { version: number }
  audit_logs: AuditLogRow
  audit_retention: { removable_before: number }
  /** Answers to changes that were requested with an `Idempotency-Key`. */
  idempotency_keys: IdempotencyKeyRow
  /** Without the address of the account, which is an owner without a row. */
  members: MemberRow
  /** Sessions of the dashboard; a session that was ended has no row. */
  sessions: SessionRow
  sign_in_links: SignInLinkRow
}

export interface AccountRow {
  id: string
  email: string
  plan: Plan
  created_at: number
  /** Its rows are being removed in steps. The e-mail address is free again, and replaced by the id. */
  deleted_at: number | null
  /** 1 for the first account of the database. */
  is_admin: number
  /** 1 for an account that a sign-in link created. */
  has_signed_up: number
  /** Null unless it moves to another database. */
  move: AccountMove | null
  /** Names the database to which it moves, from the hold on. */
  move_to: string | null
}

/**
 * At the source, `held` until the target has all rows, `committed` until the target shows the account, and `moved` until its rows are
 * removed; at the target `arriving`.
 */
export type AccountMove = 'held' | 'committed' | 'moved' | 'arriving'

export interface ApiKeyRow {
  id: string
  account_id: string
  name: string
  hash: string
  mode: Mode
  scopes: string
  created_at: number
  revoked_at: number | null
  /** The beginning of its value; null for keys of older versions. */
  prefix: string | null
  /** Of its requests that do not name one. */
  dialect: DialectName
  /** JSON; null for all addresses. */
  bounds: string | null
  /** Milliseconds since 1970; null for no end. */
  expires_at: number | null
  /** The key that made it, which may be removed; null for one that a person made. */
  created_by: string | null
}

export interface AuditLogRow {
  id: string
  account_id: string
  mode: Mode
  api_key_id: string | null
  action: string
  method: string
  path: string
  status: number
  resource_id: string | null
  ip_address: string
  user_agent: string | null
  created_at: number
  /** Calls that the record stands for. */
  call_count: number
  /** The session that was used in place of a key. */
  session_id: string | null
  /** The e-mail address of the person of the session. */
  member: string | null
}

export interface IdempotencyKeyRow {
  account_id: string
  mode: Mode
  key: string
  /** Differs for a different request. */
  fingerprint: string
  /** JSON from which a repetition is answered. It holds no secret and no mail. */
  answer: string
  created_at: number
}

export interface MemberRow {
  id: string
  account_id: string
  email: string
  role: Role
  created_at: number
  /** When the person first opened the account; null while invited. */
  joined_at: number | null
  /** Whether a session with a proof of the address opened it: those who invite could open it with the link of the invitation. */
  is_proven: Bit
  /** SHA-256 of the token of the invitation, in hex; null when it was used. */
  invitation_hash: string | null
  invitation_expires_at: number | null
}

export interface SessionRow {
  id: string
  account_id: string
  /** SHA-256 of the cookie, in hex. */
  hash: string
  created_at: number
  /** To the minute. */
  used_at: number
  expires_at: number
  /** Where it began. */
  ip_address: string
  user_agent: string | null
  /** Of the person. */
  email: string
  /** 0 when it began with an invitation, which others saw: it shows that account alone. */
  is_proven: Bit
}

export interface SignInLinkRow {
  /** Made when the link was requested. */
  id: string
  email: string
  /** SHA-256 of the token, in hex; null until its mail is written, and where no mail is sent. */
  hash: string | null
  /** 0 for a link of the operator. */
  is_requested: number
  expires_at: number
}
