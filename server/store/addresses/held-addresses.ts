/** An active address, and its account. */
export interface HeldAddress {
  address: string
  email: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** The migration with which the query of `heldSql` works. */
export const heldSince = '0014-deleted-accounts'

/** SQL of both engines for the active addresses at the default domain that have one of the names, which are without `.`, `-` and `_`. */
export const heldSql = (names: string[]): string => `select address, email, expires_at as "expiresAt"
  from addresses join accounts on accounts.id = addresses.account_id
  where is_expired = 0 and domain_id is null and deleted_at is null
  and replace(replace(replace(alias, '.', ''), '-', ''), '_', '') in (${names.map((name) => `'${name.replaceAll(/[^a-z0-9]/g, '')}'`).join(', ')})
  order by address`
