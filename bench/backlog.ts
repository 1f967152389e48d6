import Sqlite from 'better-sqlite3'

/** Work that published mail leaves for later, read from the database file of a running server. */
export interface Backlog extends Disposable {
  /** Resolves when all received mail is authenticated and in the search index. */
  done(): Promise<void>
}

const pollMs = 50

export function openBacklog(databaseFile: string): Backlog {
  const sqlite = new Sqlite(databaseFile, { readonly: true })
  const left = sqlite.prepare(`select (select count(*) from messages) - (select count(*) from authentications)
    + (select count(*) from email_search_pending)`).pluck()
  return {
    async done() {
      while (left.get() !== 0) await new Promise((resolve) => setTimeout(resolve, pollMs))
    },
    [Symbol.dispose]: () => { sqlite.close() },
  }
}
