import { hourMs } from '../clock.ts'
import type { Caller, Services } from '../context.ts'
import type { ShareLink, ShareLinkCreate, ShareLinkCreated } from '../contract/types.gen.ts'
import { conflict, notFound } from '../errors.ts'
import { findAddress, findExpiry, ownAddresses } from '../store/addresses/addresses.ts'
import { findShareHolder, insertShareLink, listShareLinks, removeEndedLinks, removeShareLink } from '../store/addresses/share-links.ts'
import type { Database, Tx } from '../store/database.ts'
import { hashOf } from './api-keys.ts'
import { isToken, newToken, urlWithToken } from './sign-in-links.ts'

/** Maximum links of an address that have not ended. */
const maxLinks = 10

/**
 * Makes a link by which others read the received mail of an address. It ends with the address at the latest. Its token is in the answer
 * and nowhere else: only a hash is stored.
 * @throws AppError `NOT_FOUND`, `CONFLICT` for an address that has expired, and at the maximum
 */
export async function createShareLink(
  tx: Tx, { baseUrl }: Pick<Services, 'baseUrl'>, caller: Caller, addressId: string, { hours }: ShareLinkCreate,
): Promise<ShareLinkCreated> {
  if ((await ownAddresses(tx, caller, [addressId])).length === 0) throw notFound('address')
  const addressEndsAt = await findExpiry(tx, addressId) ?? 0
  if (addressEndsAt <= tx.now) throw conflict('The address has expired, so its inbox cannot be shared.')
  if (await removeEndedLinks(tx, addressId) >= maxLinks) throw tooManyLinks()
  const token = newToken()
  const expiresAt = Math.min(tx.now + hours * hourMs, addressEndsAt)
  const link = await insertShareLink(tx, { addressId, hash: hashOf(token), expiresAt })
  return { ...link, url: urlWithToken(`${baseUrl()}/shared`, token) }
}

const tooManyLinks = () => conflict(`The inbox has ${maxLinks} links already, which is as many as there may be. End one first.`)

/** The links of an address that have not ended, newest first. @throws AppError `NOT_FOUND` */
export async function listLinksOf(db: Database, caller: Caller, addressId: string): Promise<ShareLink[]> {
  if (!await findAddress(db, caller, addressId)) throw notFound('address')
  return listShareLinks(db, addressId)
}

/** Ends a link: its next request is refused. @throws AppError `NOT_FOUND` */
export async function endShareLink(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (!await removeShareLink(tx, caller, id)) throw notFound('share link')
}

/** @returns the caller of a request with the token of a link; undefined when it is malformed, unknown, ended or expired */
export async function findSharer(db: Database, token: string): Promise<Caller | undefined> {
  const holder = isToken(token) ? await findShareHolder(db, hashOf(token)) : undefined
  if (!holder) return undefined
  const { accountId, mode, plan, linkId, addressId, address, expiresAt } = holder
  const share = { linkId, addressId, address, expiresAt }
  return { accountId, mode, bound: undefined, plan, apiKeyId: null, sessionId: null, member: null, scopes: [], dialect: 'primary', share }
}
