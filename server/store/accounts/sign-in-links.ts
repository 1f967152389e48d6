import { idBoundary } from '../../ids.ts'
import type { Database, Tx } from '../database.ts'
import type { RemovalBatch } from '../page.ts'

/** Lifetime of a link. Errors, mails and commands name it. */
export const linkLifetimeMinutes = 15

export interface NewSignInLink {
  /** In lower case. */
  email: string
  /** SHA-256 of the token, in hex; null until its mail is written. */
  hash: string | null
  /** False for a link of the operator. */
  isRequested: boolean
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** @returns the id of the link */
export async function insertSignInLink(tx: Tx, { email, hash, isRequested, expiresAt }: NewSignInLink): Promise<string> {
  const id = tx.newId()
  await tx.sql.insertInto('sign_in_links')
    .values({ id, email, hash, is_requested: Number(isRequested), expires_at: expiresAt }).execute()
  return id
}

/** @returns the email address of a link that has not expired */
export async function findLinkEmail(db: Database, id: string): Promise<string | undefined> {
  const row = await db.sql.selectFrom('sign_in_links').select('email')
    .where('id', '=', id).where('expires_at', '>', db.now()).executeTakeFirst()
  return row?.email
}

/** Sets the token of a link whose mail is written. @param hash SHA-256 of the token, in hex */
export async function setLinkHash(tx: Tx, id: string, hash: string): Promise<void> {
  await tx.sql.updateTable('sign_in_links').set({ hash }).where('id', '=', id).execute()
}

/**
 * Uses up a link.
 * @param hash SHA-256 of its token, in hex
 * @returns its email address; undefined for a link that is unknown, was used or has expired
 */
export async function takeSignInLink(tx: Tx, hash: string): Promise<string | undefined> {
  const row = await tx.sql.updateTable('sign_in_links').set({ hash: null })
    .where('hash', '=', hash).where('expires_at', '>', tx.now).returning('email').executeTakeFirst()
  return row?.email
}

/** Removes the links of an email address, used or not. Few are left of the last hour. */
export async function removeLinksOf(tx: Tx, email: string): Promise<void> {
  await tx.sql.deleteFrom('sign_in_links').where('email', '=', email).execute()
}

/** Removes some links that were made before a time. @returns how many */
export async function removeOldLinks(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('sign_in_links')
    .where('id', 'in', (from) => from.selectFrom('sign_in_links').select('id').where('id', '<', idBoundary(before)).orderBy('id').limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
