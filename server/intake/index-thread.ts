import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { answer } from './answering.ts'
import { lowerPriority } from './low-priority.ts'

export interface IndexStep extends IndexRequest {
  id: string
}

let index: ReturnType<typeof openIndexer> | undefined
let last = Promise.resolve()

await answer<IndexStep>(({ id, ...request }, { db, settle }) => {
  index ??= openIndexer(db)
  const step = index
  // one step at a time: two at once would take the same mails
  last = last.then(() => settle(id, 0, () => step(request)))
})

lowerPriority(5)
