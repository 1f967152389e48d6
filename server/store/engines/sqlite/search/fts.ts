/*
 * Queries of the FTS5 table. They read newest first, up to the limit, because all terms are looked up whole. Numbers are cast: FTS5 ignores
 * a bound that is no integer, and JavaScript binds numbers as floats.
 */

const found = `select emails.id from email_search
  cross join emails on emails.seq = email_search.rowid
  where email_search match ? and email_search.rowid > cast(? as integer) and email_search.rowid < cast(? as integer)
    and emails.id > ? and emails.id < ? and account_id = ? and mode = ? and is_deleted = ? and type in ('received', 'sent')
    and address_id not in (select address_id from removed_mailboxes)
  order by email_search.rowid desc`

/**
 * Ids of emails, newest first. Values: match expression, the numbers and the ids between which they are, account, mode, `is_deleted`,
 * limit, offset.
 */
export const pageSql = `${found} limit ? offset ?`

/** Counts the matches. Values: match expression, maximum of the count. */
export const countSql = 'select count(*) as total from (select rowid from email_search where email_search match ? order by rowid desc limit ?)'

/** Counts those that a page can show. Values: as for `pageSql` without the offset; the limit is the maximum of the count. */
export const countShownSql = `select count(*) as total from (${found} limit ?)`

/** Inserts a mail. Values: its number, its terms as `termText`. */
export const insertSql = 'insert into email_search (rowid, terms) values (cast(? as integer), ?)'

/** Continues merging inserted terms. Value: maximum pages written. */
export const mergeSql = `insert into email_search (email_search, rank) values ('merge', cast(? as integer))`

/** Prefix of each term: the owner's number, and whether the mail is deleted. */
export const scopeOf = (ownerNumber: number, isDeleted: boolean) => `${ownerNumber}${isDeleted ? 'd' : ''}`

/** Terms as they are inserted. */
export const termText = (scope: string, terms: string[]) => terms.map((term) => `${scope}.${term}`).join(' ')

/**
 * The match expression for mails that have all terms, or for all mails without a term, except those that have all terms of one of the other
 * lists. Quoted strings, so that no term is read as query syntax; a term has no quotes.
 */
export function matchText(scope: string, terms: string[], others: string[][] = []): string {
  const quoted = (some: string[], operator: string) => `(${some.map((term) => `"${scope}.${term}"`).join(` ${operator} `)})`
  const found = terms.length > 0 ? quoted(terms, 'AND') : quoted(['@received', '@sent'], 'OR')
  return [found, ...others.map((some) => quoted(some, 'AND'))].join(' NOT ')
}
