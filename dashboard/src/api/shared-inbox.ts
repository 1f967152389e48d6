import { MayflyError } from '@mayfly-mail/sdk'
import { baseUrl } from './base.ts'
import { createClient, createConfig } from './generated/client/index.ts'
import { sharedInboxAttachment, sharedInboxGet, sharedInboxGetEmail, sharedInboxListEmails } from './generated/sdk.gen.ts'
import type { SharedEmail, SharedEmailListAnswer, SharedInbox } from './generated/types.gen.ts'
import { dashboardError, send } from './session.ts'

/** Reads what a share link shows. */
export interface SharedInboxReader {
  read(signal: AbortSignal): Promise<SharedInbox>
  /** @param before the id of the last email of the page before */
  list(before: string | undefined, signal: AbortSignal): Promise<SharedEmailListAnswer>
  getEmail(id: string, signal: AbortSignal): Promise<SharedEmail>
  /** @param type the media type of the result; that which the sender declared is not used */
  openAttachment(emailId: string, attachmentId: string, type: string, signal?: AbortSignal): Promise<Blob>
}

const pageSize = 50

/**
 * Connects with the token of a share link, and without the session that this browser may have.
 * @param onEnded called with a sentence when the link is unknown, was ended, or has expired
 */
export function openSharedInbox(token: string, onEnded: (message: string) => void): SharedInboxReader {
  const client = createClient(createConfig({
    baseUrl, throwOnError: true, credentials: 'omit', headers: { authorization: `Bearer ${token}` },
    fetch: (input, init) => send(new Request(input, init)),
  }))
  client.interceptors.error.use((body, response) => {
    if (!response) return body
    const error = dashboardError(body, response.status)
    if (response.status !== 401) return error
    onEnded(error.message)
    return new MayflyError(error.message) // the session of the browser, if there is one, has not ended
  })
  return {
    read: async (signal) => (await sharedInboxGet({ client, signal })).data.data,
    async list(before, signal) {
      return (await sharedInboxListEmails({ client, signal, query: { limit: pageSize, ...before !== undefined && { before } } })).data
    },
    getEmail: async (id, signal) => (await sharedInboxGetEmail({ client, signal, path: { id } })).data.data,
    async openAttachment(emailId, attachmentId, type, signal) {
      const { data } = await sharedInboxAttachment({
        client, path: { emailId, attachmentId }, parseAs: 'blob', ...signal && { signal },
      })
      return new Blob([data], { type })
    },
  }
}
