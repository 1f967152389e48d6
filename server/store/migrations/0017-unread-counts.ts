/** The unread emails of an address are counted as its emails are. */
export const statements = () => [
  'alter table email_counts add column unread bigint not null default 0',
  `update email_counts set unread = found.unread
    from (select address_id, type, count(*) as unread from emails where is_read = 0 and is_deleted = 0 group by address_id, type) as found
    where owner = found.address_id and email_counts.type = found.type and email_counts.is_deleted = 0`,
]
