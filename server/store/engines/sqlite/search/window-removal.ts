import type { Tx } from '../../../changes/queries.ts'
import { removeFrequent, removeWindow, selectFrequent, selectWindows } from './windows.ts'

/** Maximum frequent terms of a step: each has a bitmap in each window. */
const maxTermsAtOnce = 8

/** Removes some of the windows and bitmaps of an owner. @returns whether there were any */
export async function removeWindowsOf(tx: Tx, ownerNumber: number, limit: number): Promise<boolean> {
  const { rows: terms } = await selectFrequent(tx, { ownerNumber })
  for (const { term } of terms.slice(0, maxTermsAtOnce)) await removeFrequent(tx, { ownerNumber, term })
  if (terms.length > 0) return true
  const { rows: windows } = await selectWindows(tx, { ownerNumber })
  for (const { window } of windows.slice(0, limit)) await removeWindow(tx, { ownerNumber, window })
  return windows.length > 0
}
