/**
 * A login of an address, by which programs send mail to it. Of mail that came by one, the recipients of the envelope as JSON, and their
 * number; null for mail to the name of the address.
 */
export const statements = () => [
  'alter table addresses add column smtp_login_hash text',
  'alter table addresses add column last_login_at bigint',
  'alter table emails add column via text',
  'alter table emails add column recipients text',
  'alter table emails add column recipients_total integer',
]
