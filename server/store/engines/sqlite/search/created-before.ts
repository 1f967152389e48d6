/*
 * The index as versions before have made it, with numbers of its own and bitmaps of frequent words. Statements are those of released
 * versions, to the last space. Migration 0028 makes it anew.
 */

const removeRow = (email: string) =>
  `delete from email_search where rowid = (select number from email_search_rows where email_id = ${email}.id);`
const queueRow = (email: string) =>
  `insert or ignore into email_search_pending (account_id, mode, email_id) values (${email}.account_id, ${email}.mode, ${email}.id);`

export const createdBefore = [
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
  `create virtual table email_search using fts5(
      terms, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '.@'"
    )`,
  `insert into email_search (email_search, rank) values ('automerge', 0)`,
  `insert into email_search (email_search, rank) values ('crisismerge', 64)`,
  `create trigger email_search_insert after insert on emails begin ${queueRow('new')} end`,
  `create trigger email_search_move after update of is_deleted on emails when new.is_deleted != old.is_deleted
      begin ${removeRow('new')} ${queueRow('new')} end`,
  `create trigger email_search_delete after delete on emails begin
      ${removeRow('old')}
      delete from email_search_rows where email_id = old.id;
      delete from email_search_pending where account_id = old.account_id and mode = old.mode and email_id = old.id;
    end`,
]
