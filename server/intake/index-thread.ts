import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { lowerPriority } from './low-priority.ts'
import { runDatabaseThread } from './database-thread.ts'

export interface IndexStep extends IndexRequest {
  id: string
}

await runDatabaseThread<IndexStep>(({ db, settle }) => {
  const index = openIndexer(db)
  let lastStep = Promise.resolve()
  return ({ id, ...request }) => {
    // steps run one after the other: two at once would index the same mails
    lastStep = lastStep.then(() => settle(id, 0, () => index(request)))
  }
})

lowerPriority(5)
