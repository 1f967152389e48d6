import type { Engine } from '../engine.ts'

/** The full-text index. */
export const statements = ({ clustered, serial, search }: Engine) => [
  // a short number for each owner, which its terms begin with
  `create table email_search_owners (number ${serial}, account_id text not null, mode text not null, unique (account_id, mode))`,
  // numbers sort by arrival, as ids do
  `create table email_search_rows (number bigint primary key, email_id text not null unique) ${clustered}`,
  // emails that are not indexed yet
  `create table email_search_pending (
    account_id text not null,
    mode text not null,
    email_id text not null,
    primary key (account_id, mode, email_id)
  ) ${clustered}`,
  `insert into email_search_pending (account_id, mode, email_id) select account_id, mode, id from emails`,
  ...search.createSql,
]
