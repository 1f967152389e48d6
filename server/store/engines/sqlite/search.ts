import type { SearchIndex } from '../../engine.ts'

const found = `select email_search_rows.email_id from email_search
  cross join email_search_rows on email_search_rows.number = email_search.rowid
  cross join emails on emails.id = email_search_rows.email_id
  where email_search match ? and email_search.rowid >= cast(? as integer) and emails.id > ?
    and email_search.rowid < cast(? as integer) and emails.address_id not in (select address_id from removed_mailboxes)`

const removeRow = (email: string) =>
  `delete from email_search where rowid = (select number from email_search_rows where email_id = ${email}.id);`
const queueRow = (email: string) =>
  `insert or ignore into email_search_pending (account_id, mode, email_id) values (${email}.account_id, ${email}.mode, ${email}.id);`

/**
 * FTS5 without texts and positions. A search reads newest first, up to the limit, because all terms are looked up whole. Merges run in
 * explicit steps: the automatic merges of FTS5 can hold the write lock for long. Numbers are cast: FTS5 ignores a bound that is no
 * integer, and JavaScript binds numbers as floats.
 */
export const sqliteSearch: SearchIndex = {
  createSql: [
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
  ],
  pageSql: `${found} order by email_search.rowid desc limit ? offset ?`,
  countSql: 'select count(*) as total from (select rowid from email_search where email_search match ? order by rowid desc limit ?)',
  countShownSql: `select count(*) as total from (${found} order by email_search.rowid desc limit ?)`,
  oldestSql: `select json_group_array(rowid) as numbers from (select rowid from email_search
    where email_search match ? and rowid > cast(? as integer) and rowid <= cast(? as integer) order by rowid limit ?)`,
  newestSql: `select json_group_array(rowid) as numbers from (select rowid from email_search
    where email_search match ? and rowid > cast(? as integer) order by rowid desc)`,
  // one row: a row for each window would take twice the time
  bitmapsSql: `select json_group_array(window_number) as windows, json_group_array(length(bits)) as lengths,
      cast(group_concat(bits, '') as blob) as bytes
    from (select window_number, bits from email_search_bitmaps where owner_number = cast(? as integer) and term = ? order by window_number)`,
  insertSql: 'insert into email_search (rowid, terms) values (cast(? as integer), ?)',
  mergeSql: `insert into email_search (email_search, rank) values ('merge', cast(? as integer))`,
  termText: (scope, terms) => terms.map((term) => `${scope}.${term}`).join(' '),
  // quoted strings, so that no term is read as query syntax; a term has no quotes
  matchText: (scope, terms, others) =>
    `(${terms.map((term) => `"${scope}.${term}"`).join(' AND ')})${others.map((term) => ` NOT "${scope}.${term}"`).join('')}`,
}
