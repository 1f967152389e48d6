import type { Email } from '@mayfly-mail/sdk'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showDone, showError } from '../../ui/notify.tsx'
import { recordCopiedCode } from '../addresses/task-record.ts'
import { mailListTexts as texts } from './texts.ts'

/** Copies a code, and says so, or that there is none. */
export async function copyCode(code: string | undefined) {
  if (code === undefined) return void showDone(texts.noCode)
  const isCopied = await copyText(code)
  if (isCopied) recordCopiedCode()
  showDone(isCopied ? texts.copied(code) : texts.notCopied(code))
}

/** Copies the likeliest code of a mail. */
export const copyCodeOf = (emailId: string) => withEmail(emailId, ({ codes: [code] }) => copyCode(code))

/** Opens the likeliest link of a mail in a new tab. */
export const openLinkOf = (emailId: string) => withEmail(emailId, (email) => {
  const url = firstLink(email)
  if (url) window.open(url, '_blank', 'noopener,noreferrer')
  else showDone(texts.noLink)
})

export const copyLinkOf = (emailId: string) => withEmail(emailId, async (email) => {
  const url = firstLink(email)
  if (!url) showDone(texts.noLink)
  else showDone(await copyText(url) ? texts.copied(url) : texts.notCopied(url))
})

const firstLink = ({ links }: Email): string | undefined => links.map(({ url }) => url).find((url) => /^https?:/i.test(url))

/** Calls `run` with a mail, which the reader may have loaded: browsers copy and open only shortly after a key or a click. */
async function withEmail(id: string, run: (email: Email) => Promise<void> | void) {
  try {
    await run(await queryClient.fetchQuery<Email>({
      queryKey: keys.email(id), queryFn: ({ signal }) => mayfly.emails.get(id, { signal }), staleTime: Infinity,
    }))
  } catch (error) {
    showError(error)
  }
}
