/** A counter of the bytes of an account's mail, received and sent. A mail counts once for each mailbox that has it. */
export const statements = ({ clustered }: { clustered: string }) => [
  `create table account_bytes (account_id text primary key, bytes bigint not null) ${clustered}`,
  `insert into account_bytes (account_id, bytes)
    select account_id, sum(size) from emails join messages on messages.id = emails.message_id group by account_id`,
]
