import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { runDatabaseThread } from './database-thread.ts'
import { lowerPriority } from './low-priority.ts'

export interface IndexStep extends IndexRequest {
  id: string
}

runDatabaseThread<IndexStep>(({ db, settle }) => {
  const maintenance = db.engine.search.openMaintenance(db)
  const index = openIndexer(db, { record: maintenance.recordIndexed })
  let lastStep = Promise.resolve()
  return {
    work({ id, ...request }) {
      // steps run one after the other: two at once would index the same mails
      lastStep = lastStep.then(() => settle(id, 0, () => index(request)))
      // further steps run between the turns of maintenance; on PostgreSQL, a step may wait for the bitmaps of a bucket
      void lastStep.then(() => maintenance.isDue() ? settle('maintenance', 0, maintenance.run) : undefined)
    },
    closing: () => maintenance.close(),
  }
})

lowerPriority(5)
