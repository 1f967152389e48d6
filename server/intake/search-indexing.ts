import { performance } from 'node:perf_hooks'
import type { Database } from '../store/database.ts'
import { indexPending } from '../store/search-index.ts'

/** Mail goes first while there are so many commits in so many milliseconds. */
const manyCommits = 4
const span = 50
/** Milliseconds after a commit until what it brought is indexed. */
const delay = 10
/** Milliseconds between two looks while mail goes first, and for what others stored. */
const pause = 200
/** Mails of one transaction, with time and without. */
const [batch, batchUnderLoad] = [8, 4]

/** Puts into the search index what waits for it: at once when there is time, a little at a time while there is none. */
export function keepIndexed(db: Database): void {
  const commits = Array<number>(manyCommits).fill(-Infinity)
  const isBusy = () => performance.now() - commits[0]! < span
  let soon: NodeJS.Timeout | undefined
  let isRunning = false

  async function index() {
    if (isRunning) return
    isRunning = true
    try {
      while (await indexPending(db, isBusy() ? batchUnderLoad : batch) > 0) {
        await new Promise(setImmediate)
        if (isBusy()) break
      }
    } catch {
      // a full disk, or the thread ends: what waits is found as it is, and the next look tries again
    }
    isRunning = false
  }

  db.commits.on('committed', () => {
    commits.shift()
    commits.push(performance.now())
    soon ??= setTimeout(() => {
      soon = undefined
      if (!isBusy()) void index()
    }, delay).unref()
  })
  setInterval(() => void index(), pause).unref()
}
