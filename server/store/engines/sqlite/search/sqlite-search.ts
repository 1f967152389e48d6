import type { Tx } from '../../../changes/queries.ts'
import type { IndexedMail, SearchIndex } from '../../../engine.ts'
import { createSql } from './create-sql.ts'
import { insertSql, mergeSql, scopeOf, termText } from './fts.ts'
import { findMails } from './index-search.ts'
import { numbersOfMails } from './mail-numbers.ts'
import { removeWindowsOf } from './window-removal.ts'
import { openWindowBuilder } from './window-builder.ts'
import { addToWindow } from './windows.ts'

/** Pages that are merged for each mail: it adds about one, which is written again some five times. */
const mergedPagesPerMail = 16

export const sqliteSearch: SearchIndex = {
  createSql,
  keyByIdSql: [],
  createBitmapsSql: [],
  locks: null,
  async add(tx, mails) {
    const numbers = await numbersOfMails(tx, mails.map(({ owner, id }) => ({ ...owner, id })))
    for (const [i, mail] of mails.entries()) await addMail(tx, mail, numbers[i]!)
    await tx.execute(mergeSql, [mergedPagesPerMail * mails.length])
  },
  find: findMails,
  openMaintenance: openWindowBuilder,
  removeDataOf: removeWindowsOf,
}

async function addMail(tx: Tx, { ownerNumber, isDeleted, terms }: IndexedMail, number: number) {
  await tx.execute(insertSql, [number, termText(scopeOf(ownerNumber, isDeleted), terms)])
  if (!isDeleted) await addToWindow(tx, ownerNumber, number, terms)
}
