import type { EmailUpdate } from '@mayfly-mail/sdk'
import { keys } from '../../api/keys.ts'
import { changeRows } from '../../api/live-rows.ts'
import { queryClient } from '../../api/query-client.ts'
import { runSome } from '../../api/run-some.ts'
import { mayfly } from '../../api/session.ts'
import { describeError } from '../../ui/describe-error.ts'
import { showError } from '../../ui/notify.tsx'
import { showChange } from './pending-changes.ts'
import { mailListTexts as texts } from './texts.ts'
import type { MailRowData } from './use-mails.ts'

/** The last update of each mail that is under way: the next one waits for it, so that the server has the last state. */
const underWay = new Map<string, Promise<unknown>>()

/** Sets or clears marks of mails. The list shows it at once, and takes back what the server refuses. */
export async function markMails(ids: string[], marks: EmailUpdate) {
  const endChange = showChange(ids, marks)
  storeInReader(ids, marks)
  const failed = await runSome(ids, (id) => inOrder(id, () => mayfly.emails.update(id, marks)))
  const failedIds = new Set(failed.map(({ item }) => item))
  const done = ids.filter((id) => !failedIds.has(id))
  storeInLists(new Set(done), marks)
  endChange(ids)
  if (marks.isRead !== undefined) {
    for (const queryKey of [keys.addresses(), keys.emails('unread')]) void queryClient.invalidateQueries({ queryKey }) // numbers of unread mails
  }
  for (const id of failedIds) void queryClient.invalidateQueries({ queryKey: keys.email(id) })
  reportFailures(failed)
}

/** Writes marks that the server has to the cached lists. */
function storeInLists(marked: Set<string>, marks: EmailUpdate) {
  changeRows<MailRowData>('emails', (rows) => rows.some(({ id }) => marked.has(id))
    ? rows.map((row) => marked.has(row.id) ? { ...row, ...marks } : row)
    : rows)
}

function storeInReader(ids: string[], marks: EmailUpdate) {
  for (const id of ids) queryClient.setQueryData(keys.email(id), (email: object | undefined) => email && { ...email, ...marks })
}

export function reportFailures(failed: { error: unknown }[]) {
  if (failed.length > 0) showError(texts.failed(failed.length, describeError(failed[0]!.error)))
}

async function inOrder(id: string, update: () => Promise<unknown>) {
  const run = (underWay.get(id) ?? Promise.resolve()).then(update, update)
  underWay.set(id, run)
  try {
    await run
  } finally {
    if (underWay.get(id) === run) underWay.delete(id)
  }
}
