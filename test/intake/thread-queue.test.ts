import { expect } from 'chai'
import { ThreadQueue } from '../../server/intake/thread-queue.ts'
import type { Thread } from '../../server/intake/thread.ts'
import type { Search } from '../../server/store/search/search.ts'

/** A thread whose test answers: it has the messages in their order. */
function openFakeThread() {
  const posted: { id: string, search: Search }[] = []
  const waiting = new Map<string, (result: unknown) => void>()
  const thread = {
    post: (message: typeof posted[0]) => { posted.push(message) },
    settled: (id: string) => new Promise((resolve) => waiting.set(id, resolve)),
    close: async () => {},
  } as unknown as Thread
  return { thread, posted, answer: (result: unknown) => { waiting.get(posted.at(-1)!.id)!(result) } }
}

/** @returns searches one at a time */
function searchIn(thread: Thread) {
  const queue = new ThreadQueue(thread, 1)
  return (accountId: string, query: string) =>
    queue.run(accountId, {
      kind: 'search',
      search: {
        owner: { accountId, mode: 'live', bound: undefined }, filter: { isDeleted: false, limit: 20, offset: 0 },
        query: { texts: [{ field: 'any', text: query, isPhrase: false, isExcluded: false }], parts: [] },
      },
    })
}

describe('Intake: queue of a thread', () => {
  it('runs its number of requests at a time, callers in rotation', async () => {
    const { thread, posted, answer } = openFakeThread()
    const search = searchIn(thread)
    const all = [search('many', '1'), search('many', '2'), search('many', '3'), search('other', '4')]
    for (const page of ['a', 'b', 'c', 'd']) {
      const before = posted.length
      answer(page)
      if (before < all.length) while (posted.length === before) await new Promise(setImmediate)
    }
    expect(await Promise.all(all)).to.deep.equal(['a', 'b', 'd', 'c'].map((page) => page))
    expect(posted.map(({ search: { query } }) => query!.texts[0]!.text)).to.deep.equal(['1', '2', '4', '3'])
  })

  it('fails a request whose thread ended, and runs the next', async () => {
    const { thread, posted, answer } = openFakeThread()
    const search = searchIn(thread)
    const first = search('a', 'first').catch((error: unknown) => error)
    const second = search('a', 'second')
    answer(false)
    expect(await first).to.include({ code: 'INTERNAL_ERROR', message: 'The request was interrupted. Try again.' })
    while (posted.length < 2) await new Promise(setImmediate)
    answer('page')
    expect(await second).to.equal('page')
  })
})
