/*
 * FTS5 without texts and positions. Merges run in explicit steps: the automatic merges of FTS5 can hold the write lock for long. Statements
 * are those of released versions, to the last space.
 */

const queueRow = (email: string) =>
  `insert or ignore into email_search_pending (account_id, mode, email_id) values (${email}.account_id, ${email}.mode, ${email}.id);`

/** The index, and the trigger that queues new mail for it. */
const createIndex = [
  `create virtual table email_search using fts5(
      terms, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '.@'"
    )`,
  `insert into email_search (email_search, rank) values ('automerge', 0)`,
  `insert into email_search (email_search, rank) values ('crisismerge', 64)`,
  `create trigger email_search_insert after insert on emails begin ${queueRow('new')} end`,
]

const removeNumbered = (email: string) =>
  `delete from email_search where rowid = (select number from email_search_rows where email_id = ${email}.id);`

/** With numbers of its own, and bitmaps of frequent words. */
export const createSql = [
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
  ) without rowid`,
  `create table email_search_bitmaps (
    owner_number bigint not null,
    term text not null,
    window_number integer not null,
    bits blob not null,
    primary key (owner_number, term, window_number)
  ) without rowid`,
  ...createIndex,
  `create trigger email_search_move after update of is_deleted on emails when new.is_deleted != old.is_deleted
      begin ${removeNumbered('new')} ${queueRow('new')} end`,
  `create trigger email_search_delete after delete on emails begin
      ${removeNumbered('old')}
      delete from email_search_rows where email_id = old.id;
      delete from email_search_pending where account_id = old.account_id and mode = old.mode and email_id = old.id;
    end`,
]

const removeRow = (email: string) => `delete from email_search where rowid = ${email}.seq;`

/** Makes it anew: the number of a row is that of the mail. */
export const numberByCommitSql = [
  ...['insert', 'move', 'delete'].map((event) => `drop trigger email_search_${event}`),
  ...['', '_windows', '_frequent', '_bitmaps', '_rows'].map((part) => `drop table email_search${part}`),
  ...createIndex,
  `create trigger email_search_move after update of is_deleted on emails when new.is_deleted != old.is_deleted
      begin ${removeRow('new')} ${queueRow('new')} end`,
  `create trigger email_search_delete after delete on emails begin
      ${removeRow('old')}
      delete from email_search_pending where account_id = old.account_id and mode = old.mode and email_id = old.id;
    end`,
  'insert or ignore into email_search_pending (account_id, mode, email_id) select account_id, mode, id from emails',
]
