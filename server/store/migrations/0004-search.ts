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
  // the older mails of an owner, in windows: numbers of mails as doubles, by their positions in bitmaps; `last` is the highest
  `create table email_search_windows (
    owner_number bigint not null,
    window_number integer not null,
    last bigint not null,
    numbers blob not null,
    primary key (owner_number, window_number, last)
  )`,
  // terms that have bitmaps: without one in a window, no mail of it has the term
  `create table email_search_frequent (
    owner_number bigint not null,
    term text not null,
    share real not null,
    primary key (owner_number, term)
  ) ${clustered}`,
  `create table email_search_bitmaps (
    owner_number bigint not null,
    term text not null,
    window_number integer not null,
    bits blob not null,
    primary key (owner_number, term, window_number)
  ) ${clustered}`,
  `insert into email_search_pending (account_id, mode, email_id) select account_id, mode, id from emails`,
  ...search.createSql,
]
