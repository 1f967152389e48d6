import { ApiError, MayflyError, NetworkError, TimeoutError } from '@mayfly-mail/sdk'
import { PartError } from './preload.ts'
import { DashboardApiError } from './session.ts'

const statusOf = (error: unknown): number | undefined =>
  error instanceof ApiError || error instanceof DashboardApiError ? error.status : undefined

/** Whether the session has ended, or there is none. */
export const isSignedOut = (error: unknown): boolean => statusOf(error) === 401

/** Whether the server has no such thing. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404

/** Whether the message is for the reader, and not of a fault of the program. */
export const isSentence = (error: unknown): error is Error =>
  error instanceof MayflyError || error instanceof DashboardApiError || error instanceof PartError

/** The message, without the call and the request id of an answer. */
export const sentenceOf = (error: Error): string => error instanceof ApiError ? error.serverMessage : error.message

/** Whether the server gave no answer. */
export const isOffline = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof TimeoutError

/** Whether a repetition can succeed. */
export const isTransient = (error: unknown): boolean => isOffline(error) || statusOf(error) === 429 || (statusOf(error) ?? 0) >= 500
