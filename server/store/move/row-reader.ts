import type { Queries } from '../connection.ts'
import type { MovedTable, Row, RowPage, RowReader } from './sides.ts'

/**
 * Reads rows by SQL that is the same in both engines, except for its parameters.
 * @param parameter gives the text of a parameter by its number, from 1
 */
export function openRowReader({ execute }: Queries, parameter: (number: number) => string): RowReader {
  const rowsOf = (selected: string, table: MovedTable, page: RowPage) =>
    `select ${selected} from ${quoted(table.name)} ${pageSql(table, page, parameter)}`
  return {
    async countBytes(table, page) {
      const sql = `select coalesce(sum(size), 0) as bytes from (${rowsOf(`${sizeSql(table)} as size`, table, page)}) as page`
      const { rows: [found] } = await execute(sql, page.after ?? []) as { rows: { bytes: number }[] }
      return found!.bytes
    },
    async readRows(table, page) {
      const names = table.columns.map(({ name }) => name)
      const { rows } = await execute(rowsOf(quotedList(names), table, page), page.after ?? []) as { rows: Record<string, Row[number]>[] }
      return rows.map((row) => names.map((name) => storable(row[name]!)))
    },
  }
}

function pageSql({ key }: MovedTable, { after, limit }: RowPage, parameter: (number: number) => string): string {
  if (key.length === 0) return ''
  const where = after ? `where (${quotedList(key)}) > (${after.map((_, i) => parameter(i + 1)).join(', ')})` : ''
  return `${where} order by ${quotedList(key)} limit ${limit}`
}

/** Bytes of a value that is neither a text nor bytes, in a sum that estimates the size of rows. */
export const plainBytes = 8

const sizeSql = ({ columns }: MovedTable) => columns.map(({ name, type }) =>
  type === 'text' || type === 'bytea' ? `coalesce(octet_length(${quoted(name)}), 0)` : String(plainBytes)).join(' + ')

const storable = (value: Row[number]) => typeof value === 'string' ? withoutNul(value) : value

export const quotedList = (names: string[]): string => names.map(quoted).join(', ')

export const quoted = (name: string): string => `"${name}"`

/** A text as PostgreSQL stores it: it has no NUL character. */
export const withoutNul = (text: string): string => text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
