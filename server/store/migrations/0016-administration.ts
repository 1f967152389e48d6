/** Administrators list all accounts, and the captured mail of all accounts. Mail of the server itself has no account. */
export const statements = () => [
  'create index accounts_present on accounts (id, email) where deleted_at is null',
  `create index deliveries_captured on deliveries (id) where status = 'captured' and account_id <> ''`,
]
