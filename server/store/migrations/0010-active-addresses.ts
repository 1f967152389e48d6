/** Addresses whose domain is gone or not verified are not active. The last email of an address is looked up, not kept. */
export const statements = () => [
  `alter table addresses add column is_bound integer not null default 1`,
  `update addresses set is_bound = 0 where is_expired = 0 and domain_id is not null
    and not exists (select 1 from domains where domains.id = addresses.domain_id and domains.status = 'verified')`,
  `drop index addresses_active`,
  `create index addresses_active on addresses (account_id, mode, id, expires_at, domain_id) where is_expired = 0 and is_bound = 1`,
  `create index addresses_unbound on addresses (account_id, mode, id, domain_id) where is_expired = 0 and is_bound = 0`,
  `drop index addresses_unmarked`,
  `create index addresses_unmarked on addresses (account_id, mode, expires_at) where is_expired = 0 and is_bound = 1`,
  `create index addresses_by_domain on addresses (domain_id, is_bound) where is_expired = 0 and domain_id is not null`,
  `update totals set active_addresses = (select count(*) from addresses
    where addresses.account_id = totals.account_id and addresses.mode = totals.mode and is_expired = 0 and is_bound = 1)`,
  `alter table email_counts drop column last_at`,
]
