import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { openWindowBuilder } from '../store/search/window-builder.ts'
import type { WindowBuilder } from '../store/search/window-builder.ts'
import { runDatabaseThread } from './database-thread.ts'
import { lowerPriority } from './low-priority.ts'

export interface IndexStep extends IndexRequest {
  id: string
}

let windows: WindowBuilder | undefined

void runDatabaseThread<IndexStep>(({ db, settle }) => {
  const builder = windows = openWindowBuilder(db)
  const index = openIndexer(db, builder.recordIndexed)
  let lastStep = Promise.resolve()
  return ({ id, ...request }) => {
    // steps run one after the other: two at once would index the same mails
    lastStep = lastStep.then(() => settle(id, 0, () => index(request)))
    // further steps run between the turns of a build
    void lastStep.then(() => builder.isDue() ? settle('windows', 0, builder.buildDue) : undefined)
  }
}, () => windows?.close())

lowerPriority(5)
