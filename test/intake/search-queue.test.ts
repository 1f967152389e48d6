import { expect } from 'chai'
import { SearchQueue } from '../../server/intake/search-queue.ts'
import type { Thread } from '../../server/intake/thread.ts'
import type { Database } from '../../server/store/database.ts'

const file = { engine: { shared: null } } as unknown as Database
const filter = { isDeleted: false, limit: 20, offset: 0 }

/** A thread whose test answers: it has the messages in their order. */
function openFakeThread() {
  const posted: { id: string, query: string, owner: { accountId: string } }[] = []
  const waiting = new Map<string, (result: unknown) => void>()
  const thread = {
    post: (message: typeof posted[0]) => { posted.push(message) },
    settled: (id: string) => new Promise((resolve) => waiting.set(id, resolve)),
    close: async () => {},
  } as unknown as Thread
  return { thread, posted, answer: (result: unknown) => { waiting.get(posted.at(-1)!.id)!(result) } }
}

describe('Search: queue of the thread', () => {
  it('runs one search at a time, accounts in rotation', async () => {
    const { thread, posted, answer } = openFakeThread()
    const queue = new SearchQueue(file, thread)
    const search = (accountId: string, query: string) => queue.search({ accountId, mode: 'live' }, query, filter)
    const all = [search('many', '1'), search('many', '2'), search('many', '3'), search('other', '4')]
    for (const page of ['a', 'b', 'c', 'd']) {
      const before = posted.length
      answer(page)
      if (before < all.length) while (posted.length === before) await new Promise(setImmediate)
    }
    expect(await Promise.all(all)).to.deep.equal(['a', 'b', 'd', 'c'].map((page) => page))
    expect(posted.map(({ query }) => query)).to.deep.equal(['1', '2', '4', '3'])
    expect(posted.every(({ owner }) => Object.keys(owner).join() === 'accountId,mode')).to.equal(true)
  })

  it('fails a search whose thread ended, and runs the next', async () => {
    const { thread, posted, answer } = openFakeThread()
    const queue = new SearchQueue(file, thread)
    const first = queue.search({ accountId: 'a', mode: 'live' }, 'first', filter).catch((error: unknown) => error)
    const second = queue.search({ accountId: 'a', mode: 'live' }, 'second', filter)
    answer(false)
    expect(await first).to.include({ code: 'INTERNAL_ERROR', message: 'The search was interrupted. Try again.' })
    while (posted.length < 2) await new Promise(setImmediate)
    answer('page')
    expect(await second).to.equal('page')
  })
})
