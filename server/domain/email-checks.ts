import type { App, Caller } from '../context.ts'
import type { EmailChecks } from '../contract/types.gen.ts'
import { notFound } from '../errors.ts'
import type { Database } from '../store/database.ts'
import { findEmail, findMessageOf } from '../store/mail/emails.ts'
import { readSource } from '../store/mail/message-chunks.ts'
import type { Owner } from '../store/schema/values.ts'

/** Loaded when an email is checked first. */
const loadChecks = () => import('../mime/checks/mail-checks.ts')

/** Maximum links of an email that are requested. */
const maxRequested = 50

/**
 * Checks an email, in a thread: it parses the source. Called with `requestsLinks`, it also requests the links.
 * @throws AppError `NOT_FOUND`, `INTERNAL_ERROR` when the mail takes too long
 */
export async function checkedEmail(app: App, caller: Caller, id: string, requestsLinks: boolean): Promise<EmailChecks> {
  const checks = await app.intake.check(caller, id)
  if (!checks) throw notFound('email')
  if (!requestsLinks) return checks
  const urls = checks.links.links.slice(0, maxRequested).map(({ url }) => url)
  const statuses = await app.network.links.statusOf(caller.accountId, urls, app.closing)
  return (await loadChecks()).withLinkStatus(checks, statuses)
}

/** @returns undefined when this owner has no such email */
export async function checkEmail(db: Database, owner: Owner, id: string): Promise<EmailChecks | undefined> {
  const [found, message] = await Promise.all([findEmail(db, owner, id), findMessageOf(db, owner, id)])
  if (!found || !message) return undefined
  const source = Buffer.concat(await Array.fromAsync(readSource(db, message.messageId)))
  return (await loadChecks()).checkMail(source, found.email)
}
