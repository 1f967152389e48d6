import { internalError } from '../errors.ts'
import type { Database } from '../store/database.ts'
import type { EmailFilter, EmailPage } from '../store/mail/email-list.ts'
import type { Owner } from '../store/schema/values.ts'
import { searchEmails } from '../store/search/search.ts'
import { FairDispatcher } from '../turns/fair-queue.ts'
import type { SearchRequest } from './index-thread.ts'
import type { Thread } from './thread.ts'

interface Search {
  request: Omit<SearchRequest, 'id'>
  resolve(page: EmailPage): void
  reject(error: unknown): void
}

/**
 * Searches SQLite in the thread that indexes, since two frequent words take milliseconds: one search at a time, accounts in rotation.
 * PostgreSQL searches by itself.
 */
export class SearchQueue {
  readonly #db: Database
  readonly #thread: Thread
  readonly #waiting: FairDispatcher<Search>
  #isSearching = false
  /** Number of searches, for their ids. */
  #searches = 0

  constructor(db: Database, thread: Thread) {
    this.#db = db
    this.#thread = thread
    this.#waiting = new FairDispatcher({ start: (search) => void this.#run(search), isFull: () => this.#isSearching })
  }

  /** @throws AppError when the thread ended */
  search(owner: Owner, query: string, filter: EmailFilter): Promise<EmailPage> {
    if (this.#db.engine.shared) return searchEmails(this.#db, owner, query, filter)
    const { accountId, mode } = owner
    return new Promise((resolve, reject) => {
      this.#waiting.push(accountId, { request: { owner: { accountId, mode }, query, filter }, resolve, reject })
    })
  }

  async #run({ request, resolve, reject }: Search) {
    this.#isSearching = true
    const id = `search ${++this.#searches}`
    this.#thread.post({ id, ...request } satisfies SearchRequest)
    await this.#thread.settled<EmailPage>(id)
      .then((page) => page ? resolve(page) : reject(internalError('The search was interrupted. Try again.')), reject)
    this.#isSearching = false
    this.#waiting.startNext()
  }
}
