import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, for a link or a cookie. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** The digest that is stored in place of a token, in hex. */
export const digest = (token: string): string => hash('sha256', token, 'hex')
