import { currentMode } from '../../api/mode.ts'
import type { Mode } from '../../api/mode.ts'
import { dropRows } from '../../api/live-rows.ts'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { runSome } from '../../api/run-some.ts'
import { deleteInBackground, mayfly } from '../../api/session.ts'
import { showDone } from '../../ui/notify.tsx'
import { reportFailures } from './mark-mails.ts'
import { showChange } from './pending-changes.ts'
import { mailListTexts as texts } from './texts.ts'

/** The API cannot restore a mail: a deletion is sent after this time, in which it can be undone. */
const undoMs = 8_000

interface Held {
  mode: Mode
  ids: string[]
  timer: ReturnType<typeof setTimeout>
  hideNotice: () => void
  endChange: (ids: string[]) => void
}

const held = new Set<Held>()

/** Removes mails from the list, and deletes them unless the user undoes it. */
export function deleteMails(ids: string[]) {
  if (ids.length === 0) return
  const deletion: Held = {
    mode: currentMode(),
    ids,
    timer: setTimeout(() => void send(deletion, (id) => mayfly.emails.delete(id)), undoMs),
    hideNotice: showDone(texts.deleted(ids.length), () => undo(deletion)),
    endChange: showChange(ids, { isGone: true }),
  }
  held.add(deletion)
}

/** Undoes the last deletion that is not sent yet. */
export function undoLastDeletion() {
  const last = [...held].at(-1)
  if (last) undo(last)
}

/** Sends all deletions at once: the page is left. */
export function flushDeletions() {
  for (const deletion of held) void send(deletion, (id) => deleteInBackground(`/emails/${id}`, deletion.mode))
}

function undo(deletion: Held) {
  if (!held.delete(deletion)) return
  clearTimeout(deletion.timer)
  deletion.hideNotice()
  deletion.endChange(deletion.ids)
}

async function send(deletion: Held, deleteOne: (id: string) => Promise<unknown>) {
  const { ids } = deletion
  held.delete(deletion)
  clearTimeout(deletion.timer)
  deletion.hideNotice()
  const failed = await runSome(ids, deleteOne)
  const failedIds = new Set(failed.map(({ item }) => item))
  const gone = new Set(ids.filter((id) => !failedIds.has(id)))
  dropRows('emails', ({ id }) => gone.has(id))
  deletion.endChange(ids)
  reportFailures(failed)
  await queryClient.invalidateQueries({ queryKey: keys.emails() })
}
