import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { lowerPriority } from './low-priority.ts'
import { runThread } from './thread-main.ts'

export interface IndexStep extends IndexRequest {
  id: string
}

let index: ReturnType<typeof openIndexer> | undefined
let lastStep = Promise.resolve()

await runThread<IndexStep>(({ id, ...request }, { db, settle }) => {
  index ??= openIndexer(db)
  const step = index
  // steps run one after the other: two at once would index the same mails
  lastStep = lastStep.then(() => settle(id, 0, () => step(request)))
})

lowerPriority(5)
