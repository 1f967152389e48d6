import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'

export interface UnreadAnswers {
  /** Counts what of an answer waits in memory for its caller, until it is out. */
  follow(accountId: string, res: ServerResponse): void
  /** @throws AppError `RATE_LIMITED` when callers of the account leave too much unread */
  check(accountId: string): void
}

/** Bounds the memory of answers that an account's callers do not read, or slowly: large mails, and many files at once. */
export function unreadAnswers(maxBytes: number): UnreadAnswers {
  const answers = new Map<string, Set<ServerResponse>>()
  return {
    follow(accountId, res) {
      const open = answers.get(accountId) ?? new Set()
      answers.set(accountId, open.add(res))
      res.once('close', () => {
        open.delete(res)
        if (open.size === 0) answers.delete(accountId)
      })
    },
    check(accountId) {
      const bytes = answers.get(accountId)?.values().reduce((sum, { writableLength }) => sum + writableLength, 0) ?? 0
      if (bytes > maxBytes) throw tooMuchUnread(bytes)
    },
  }
}

const tooMuchUnread = (bytes: number) => Object.assign(
  new AppError('RATE_LIMITED', `${Math.ceil(bytes / 2 ** 20)} MiB of answers to this account are not read yet. Read them first.`), { retryAfter: 1 },
)
