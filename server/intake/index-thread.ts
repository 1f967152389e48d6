import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { openWindowBuilder } from '../store/search/window-builder.ts'
import type { WindowBuilder } from '../store/search/window-builder.ts'
import { lowerPriority } from './low-priority.ts'
import { runThread } from './thread-main.ts'

export interface IndexStep extends IndexRequest {
  id: string
}

let index: ReturnType<typeof openIndexer> | undefined
let windows: WindowBuilder | undefined
let lastStep = Promise.resolve()

await runThread<IndexStep>(({ id, ...request }, { db, settle }) => {
  windows ??= openWindowBuilder(db)
  index ??= openIndexer(db, windows.recordIndexed)
  const [step, builder] = [index, windows]
  // steps run one after the other: two at once would index the same mails
  lastStep = lastStep.then(() => settle(id, 0, () => step(request)))
  // further steps run between the turns of a build
  void lastStep.then(() => builder.isDue() ? settle('windows', 0, builder.buildDue) : undefined)
}, () => windows?.close())

lowerPriority(5)
