import { workerData } from 'node:worker_threads'
import { systemClock } from '../../../server/clock.ts'
import { openDatabase } from '../../../server/store/database.ts'
import { openIndexer } from '../../../server/store/search/search-index.ts'

/** A thread that indexes all pending mails, but ends when it reads a mail with the word `poison`. */
const db = await openDatabase(workerData as string, systemClock, { migrate: false })
const { search } = db.engine
db.engine.search = {
  ...search,
  add(tx, mails) {
    if (mails.some(({ terms }) => terms.includes('poison'))) process.exit() // ends this thread
    return search.add(tx, mails)
  },
}
const index = openIndexer(db, { maxAttemptMs: 0 }) // those of the indexers before it have ended
while (await index({ limit: 8 }) > 0) { /* until none is left */ }
await db.close()
