import { keys } from '../../api/keys.ts'
import { dropRows } from '../../api/live-rows.ts'
import { queryClient } from '../../api/query-client.ts'
import { runSome } from '../../api/run-some.ts'
import { mayfly } from '../../api/session.ts'
import { showDone } from '../../ui/notify.tsx'
import { reportFailures } from './mark-mails.ts'
import { showChange } from './pending-changes.ts'
import { mailListTexts as texts } from './texts.ts'

/** A deletion of this page, with its requests. */
interface Deletion {
  ids: string[]
  done: Promise<unknown>
  hideNotice: () => void
}

/** The deletions of this page that are not undone, the last one at the end. */
const deletions: Deletion[] = []

/** Deletes mails, with a way to undo it. The list shows it at once. */
export function deleteMails(ids: string[]) {
  if (ids.length === 0) return
  const deletion: Deletion = {
    ids,
    done: changeRows(ids, (id) => mayfly.emails.delete(id)),
    hideNotice: showDone(texts.deleted(ids.length), () => void undo(deletion)),
  }
  deletions.push(deletion)
}

/** Undoes the last deletion of this page. */
export function undoLastDeletion() {
  const last = deletions.at(-1)
  if (last) void undo(last)
}

/** Takes mails back from the deleted ones. */
export async function restoreMails(ids: string[]) {
  await changeRows(ids, (id) => mayfly.emails.restore(id))
  showDone(texts.restored(ids.length))
}

async function undo(deletion: Deletion) {
  deletions.splice(deletions.indexOf(deletion), 1)
  deletion.hideNotice()
  await deletion.done
  await restoreMails(deletion.ids)
}

/** Runs a request for each mail, which leaves the list. */
async function changeRows(ids: string[], change: (id: string) => Promise<unknown>) {
  const endChange = showChange(ids, { isGone: true })
  const failed = await runSome(ids, change)
  const failedIds = new Set(failed.map(({ item }) => item))
  const gone = new Set(ids.filter((id) => !failedIds.has(id)))
  dropRows('emails', ({ id }) => gone.has(id))
  endChange(ids)
  reportFailures(failed)
  for (const id of gone) void queryClient.invalidateQueries({ queryKey: keys.email(id) })
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.emails() }), queryClient.invalidateQueries({ queryKey: keys.addresses() }),
  ])
}
