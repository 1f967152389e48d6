import type { Address } from '@mayfly-mail/sdk'
import { useMutation } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { currentMode } from '../../api/mode.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showDone } from '../../ui/notify.tsx'
import { recordCopiedCode } from './task-record.ts'
import { formTexts } from './form-texts.ts'

const texts = formTexts.testMail

/** Time for the way through the server, in seconds. */
const arrivalSeconds = 20

/** Sends a mail with a code to an address, and copies the code when it has arrived. */
export const useTestMail = () => useMutation({
  async mutationFn(address: Address) {
    const { cursor } = await mayfly.emails.list({ addressId: address.id, limit: 1 })
    const sentId = await sendTestMail(address)
    const { email } = await mayfly.emails.wait({ addressId: address.id, after: cursor, timeout: arrivalSeconds })
    // the copy in Sent would look like a second mail
    if (sentId && email) await mayfly.emails.delete(sentId)
    return email?.codes?.[0]
  },
  async onSuccess(code) {
    void queryClient.invalidateQueries({ queryKey: keys.emails() })
    if (code === undefined) return showDone(texts.late)
    const isCopied = await copyText(code)
    if (isCopied) recordCopiedCode()
    showDone(isCopied ? texts.copied(code) : texts.arrived(code))
  },
})

/** @returns the id of the mail in Sent. Live data has no way to put a mail in place, so the address sends it to itself. */
async function sendTestMail({ id, address }: Address): Promise<string | undefined> {
  const { subject, text } = texts
  if (currentMode() === 'test') {
    await mayfly.test.createEmail({ to: address, from: texts.from, subject, text })
    return undefined
  }
  return (await mayfly.emails.send({ fromAddressId: id, to: address, subject, body: text })).id
}
