import type { App } from '../context.ts'
import type { Recipient, ReturnPath } from '../envelope.ts'
import { nothingFound } from '../errors.ts'
import { parseRecipient } from '../mailbox.ts'
import { findRecipient } from '../store/addresses/addresses.ts'
import { refuseWhenAccountFull } from './account-room.ts'
import { isReceivedRole } from './aliases.ts'
import { issueRole } from './postmaster.ts'
import { readReturnPath } from './return-path.ts'

interface RecipientOptions {
  /** Size of the mail in bytes, as the client announced it; 0 when unknown. */
  bytes?: number
  /** Whether the tag may have characters beyond ASCII. */
  allowsUtf8?: boolean
}

/**
 * Finds the recipient of an address; `alias+tag@domain` is delivered to `alias@domain`. Mail to a return path of this server is a
 * delivery report on a mail that it sent. The addresses of postmaster and abuse are issued if there are none.
 * @throws AccountFullError; AppError `NOT_FOUND` when it is unknown, expired, malformed, forged or of another host, `CONFLICT` when
 * the address of such a role cannot be issued at the moment
 */
export async function acceptRecipient(
  app: App, rcpt: string, { bytes = 0, allowsUtf8 = false }: RecipientOptions = {},
): Promise<Recipient | ReturnPath> {
  const { defaultDomain } = app.config
  const path = parseRecipient(rcpt, { defaultDomain, allowsUtf8 })
  if (!path) throw noMailbox()
  const { alias, local, domain } = path
  const isCustom = domain !== defaultDomain
  const returnPath = isCustom ? undefined : readReturnPath(app, local)
  if (returnPath) return returnPath
  const holder = await findRecipient(app.db, `${alias}@${domain}`, isCustom)
    ?? (isReceivedRole(alias) ? await issueRole(app, alias, domain) : undefined)
  if (!holder) throw noMailbox()
  await refuseWhenAccountFull(app, holder.accountId, bytes)
  return { addressId: holder.id, accountId: holder.accountId, address: `${local}@${domain}` }
}

const noMailbox = () => nothingFound('No such mailbox here')
