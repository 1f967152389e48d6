import { timestamp } from '../../clock.ts'
import type { App, Caller } from '../../context.ts'
import { cursorOf, positionOf } from '../../domain/cursors.ts'
import { checkedEmail } from '../../domain/email-checks.ts'
import { waitForEmail } from '../../domain/email-wait.ts'
import { changeAll, deleteEmail, restoreEmail, updateEmail } from '../../domain/emails.ts'
import { forwardEmail } from '../../domain/forward-email.ts'
import { bounceEmail, complainAboutEmail } from '../../domain/reports.ts'
import { sendEmail } from '../../domain/sending.ts'
import { readAttachment, readEmail } from '../../domain/stored-mail.ts'
import { noAttachment, notFound } from '../../errors.ts'
import { findAddress } from '../../store/addresses/addresses.ts'
import { lastSeq } from '../../store/events/outbox.ts'
import { findAttachment } from '../../store/mail/attachments.ts'
import { findSummaries, listEmails } from '../../store/mail/email-list.ts'
import type { EmailFilter, EmailPage } from '../../store/mail/email-list.ts'
import { findMessageOf } from '../../store/mail/emails.ts'
import { readSource } from '../../store/mail/message-chunks.ts'
import { pageOf, shownPage } from '../../store/page.ts'
import { parseSearch } from '../../store/search/search-query.ts'
import { lacksScope } from '../operations/authenticate.ts'
import { addressIdOf } from '../operations/validation.ts'
import { change, changeInThread } from './change.ts'
import type { HandlersOf } from './handler.ts'

export const emails = {
  async 'emails.list'(app, { caller, query }) {
    const page = pageOf(query, 50)
    const addressId = addressIdOf(query)
    // read before the list, so mail that arrives meanwhile comes after it
    const last = await lastSeq(app.db)
    const after = query.after === undefined ? undefined : await positionOf(app.db, caller, last, query.after)
    const { type, to } = query
    const [envelopeFrom, threadId] = [query.envelope_from, query.thread_id]
    const filter = { addressId, type, isDeleted: query.is_deleted === 'true', after, last, to, envelopeFrom, threadId, ...page }
    const isSearch = [query.q, to, envelopeFrom, threadId].some((part) => part !== undefined)
    const { emails, ...found } = isSearch ? await searchEmails(app, caller, query.q, filter) : await listEmails(app.db, caller, filter)
    return { data: emails, ...found, ...shownPage(page), cursor: cursorOf(last), serverTime: timestamp(app.clock.now()) }
  },

  'emails.get': (app, { caller, path }) => showEmail(app, caller, path.id),

  async 'emails.wait'(app, { caller, query, beginWait, reauthorize }) {
    const gone = beginWait()
    const addressId = addressIdOf(query)
    const requireAddress = async () => {
      if (addressId && !await findAddress(app.db, caller, addressId)) throw notFound('address')
    }
    await requireAddress()
    const { after, from, subject, to, timeout = 30 } = query
    const ends = { timeoutMs: timeout * 1000, gone, reauthorize: () => reauthorize().then(requireAddress) }
    const { id, cursor } = await waitForEmail(app, caller, { addressId, after, from, subject, to, envelopeFrom: query.envelope_from }, ends)
    const headers = { 'X-Mayfly-Cursor': cursor }
    if (id) await reauthorize()
    const email = id && await readEmail(app.db, caller, id)
    return email ? { json: { data: email }, headers } : { noContent: true, headers }
  },

  'emails.send': change({
    async prepare(app, { caller, body }) {
      // a reply tells of the email that it answers
      if (body.inReplyToId !== undefined) requireReading(caller)
      return sendEmail(app, caller, body)
    },
    reply: (data) => ({ data, message: 'The email is queued.' }),
  }),

  'emails.forward': change({
    prepare: (app, { caller, path, body }) => forwardEmail(app, caller, path.id, body.forwardToId.toLowerCase()),
    reply: (data) => ({ data, message: 'The email is queued.' }),
  }),

  'emails.bounce': changeInThread(async (app, { caller, path, body }, recordsOf) =>
    ({ data: await bounceEmail(app, caller, path.id, body ?? {}, (data) => recordsOf({ data })) })),

  'emails.complain': changeInThread(async (app, { caller, path }, recordsOf) =>
    ({ data: await complainAboutEmail(app, caller, path.id, (data) => recordsOf({ data })) })),

  // a stored answer would keep an email after its removal
  'emails.update': change({
    run: (tx, { caller, path, body }) => updateEmail(tx, caller, path.id, body),
    show: showChanged,
  }),

  'emails.restore': change({
    run: (tx, { caller, path }) => restoreEmail(tx, caller, path.id),
    show: showChanged,
  }),

  'emails.delete': change({
    run: (tx, { caller, path }) => deleteEmail(tx, caller, path.id),
    reply: (_deleted, { path }) => ({
      data: { id: path.id, deleted: true }, message: 'The email is deleted. It can still be listed with is_deleted=true.',
    }),
  }),

  'emails.changeAll': changeInThread(async (app, { caller, body, reauthorize }, recordsOf) => {
    // the number of emails tells whether a text is in them
    if (body.q !== undefined) requireReading(caller)
    return { data: await changeAll(app, caller, body, { nextStep: reauthorize, recordsOf: (data) => recordsOf({ data }) }) }
  }),

  async 'emails.raw'(app, { caller, path, headers }) {
    const message = await findMessageOf(app.db, caller, path.id)
    if (!message) throw notFound('email')
    return {
      contentType: sourceType(headers.accept),
      filename: `${path.id}.eml`,
      size: message.sizeBytes,
      content: readSource(app.db, message.messageId),
    }
  },

  'emails.checks': async (app, { caller, path, query }) => ({ data: await checkedEmail(app, caller, path.id, query.links === 'true') }),

  async 'emails.attachment'(app, { caller, path }) {
    const attachment = await findAttachment(app.db, caller, path.emailId, path.attachmentId)
    if (!attachment) throw noAttachment()
    const { contentType, filename, size } = attachment
    return { contentType, filename, size, content: readAttachment(app.db, attachment) }
  },
} satisfies HandlersOf<'emails'>

function requireReading({ scopes }: Caller) {
  if (!scopes.includes('emails:read')) throw lacksScope('emails:read')
}

async function searchEmails({ db, intake }: App, caller: Caller, q: string | undefined, filter: EmailFilter): Promise<EmailPage> {
  const { ids, ...found } = await intake.search(caller, q === undefined ? undefined : parseSearch(q), filter)
  return { emails: await findSummaries(db, ids), ...found }
}

async function showEmail(app: App, caller: Caller, id: string) {
  const email = await readEmail(app.db, caller, id)
  if (!email) throw notFound('email')
  return { data: email }
}

/** An email after a change, of which a key that may not read sees the marks alone. */
async function showChanged(app: App, { caller, path }: { caller: Caller, path: { id: string } }) {
  const { data } = await showEmail(app, caller, path.id)
  const { id, isRead, isStarred } = data
  return { data: caller.scopes.includes('emails:read') ? data : { id, isRead, isStarred } }
}

/** Some generated clients accept only `application/octet-stream`. */
function sourceType(accept = ''): string {
  return accept.includes('application/octet-stream') && !accept.includes('message/rfc822') ? 'application/octet-stream' : 'message/rfc822'
}
