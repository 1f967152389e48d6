/** The address that gets the mail of a domain to names that were not issued, and the maximum number of received emails of an address. */
export const statements = () => [
  'alter table domains add column catch_all_id text',
  'alter table addresses add column max_emails integer',
]
