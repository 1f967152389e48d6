/** Administrators list all accounts, and the captured mail of all accounts. Mail of the server itself has no account. */
export const statements = () => [
  'create index accounts_present on accounts (id, email) where deleted_at is null',
  // the status is constant in it, and makes SQLite prefer it to deliveries_by_status, which has the mail of the server itself too
  `create index deliveries_captured on deliveries (status, id) where status = 'captured' and account_id <> ''`,
]
