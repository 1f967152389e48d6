import type { ServerResponse } from 'node:http'
import { rateLimited } from '../errors.ts'

export interface UnreadAnswers {
  /** Counts the unsent bytes of a response until it is closed. */
  follow(accountId: string, res: ServerResponse): void
  /** @throws AppError `RATE_LIMITED` when more than `maxBytes` of the account's responses are unread */
  check(accountId: string): void
}

/** Limits the memory of responses that callers of an account read slowly or not at all (slow read attack). */
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

const tooMuchUnread = (bytes: number) =>
  rateLimited(`${Math.ceil(bytes / 2 ** 20)} MiB of answers to this account are not read yet. Read them first.`)
