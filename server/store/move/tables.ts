import type { FoundTable, MovedTable } from './sides.ts'

/**
 * Tables that both databases have, and that are not copied: applied migrations, nodes, the version of the keys, and the full-text index,
 * which the server makes again.
 */
const left = /^(migrations|nodes|api_key_version|email_search.*)$/

/**
 * Chooses the tables to copy: those that the source has too, since other programs may have tables in the target.
 * @returns each table after those that its rows refer to
 */
export function chooseTables(found: FoundTable[], namesOfSource: string[]): MovedTable[] {
  const chosen = new Map(found.filter(({ name }) => namesOfSource.includes(name) && !left.test(name)).map((table) => [table.name, table]))
  const ordered = new Set<FoundTable>()
  const add = (table: FoundTable) => {
    for (const name of table.references) {
      const other = chosen.get(name)
      if (other && other !== table && !ordered.has(other)) add(other)
    }
    ordered.add(table)
  }
  for (const table of chosen.values()) add(table)
  return [...ordered]
}
