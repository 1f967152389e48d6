import { timestamp } from '../../clock.ts'
import type { Caller } from '../../context.ts'
import { findInInbox, listInbox, readInInbox } from '../../domain/inbox.ts'
import type { Inbox } from '../../domain/inbox.ts'
import { createShareLink, endShareLink, listLinksOf } from '../../domain/share-links.ts'
import { readAttachment } from '../../domain/stored-mail.ts'
import { pageOf } from '../../store/page.ts'
import { change } from './change.ts'
import type { HandlersOf } from './handler.ts'

export const shareLinks = {
  'shareLinks.list': async (app, { caller, path }) => ({ data: await listLinksOf(app.db, caller, path.id) }),

  'shareLinks.create': change({
    run: (tx, { caller, path, body }, app) => createShareLink(tx, app, caller, path.id, body),
    reply: (data) => ({ data, message: 'The link is ready. It is shown only once.' }),
    toRepeat: ({ data, message }) => ({ data: { ...data, url: undefined }, message }), // JSON leaves it out
  }),

  'shareLinks.delete': change({
    run: (tx, { caller, path }) => endShareLink(tx, caller, path.id),
    reply: () => ({ message: 'The link has ended.' }),
  }),

  async 'sharedInbox.get'(_app, { caller }) {
    const { address, expiresAt } = caller.share!
    return { data: { address, expiresAt: timestamp(expiresAt) } }
  },

  'sharedInbox.listEmails': (app, { caller, query }) => listInbox(app.db, inboxOf(caller), pageOf(query, 20)),

  'sharedInbox.getEmail': async (app, { caller, path }) => ({ data: await readInInbox(app.db, inboxOf(caller), path.id) }),

  async 'sharedInbox.attachment'(app, { caller, path }) {
    const attachment = await findInInbox(app.db, inboxOf(caller), path.emailId, path.attachmentId)
    const { contentType, filename, size } = attachment
    return { contentType, filename, size, content: readAttachment(app.db, attachment) }
  },
} satisfies HandlersOf<'shareLinks' | 'sharedInbox'>

/** `authorize` lets no other callers pass. */
const inboxOf = ({ accountId, mode, bound, share }: Caller): Inbox => ({ accountId, mode, bound, addressId: share!.addressId })
