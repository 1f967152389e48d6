import type { EmailFilter } from '../store/mail/email-list.ts'
import type { Owner } from '../store/schema/values.ts'
import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { searchEmails } from '../store/search/search.ts'
import { runDatabaseThread } from './database-thread.ts'
import { lowerPriority } from './low-priority.ts'

export interface IndexStep extends IndexRequest {
  id: string
}

export interface SearchRequest {
  id: string
  owner: Owner
  query: string
  filter: EmailFilter
}

runDatabaseThread<IndexStep | SearchRequest>(({ db, settle }) => {
  const index = openIndexer(db)
  let lastStep = Promise.resolve()
  return {
    work({ id, ...request }) {
      if ('query' in request) return void settle(id, 0, () => searchEmails(db, request.owner, request.query, request.filter))
      // steps run one after the other: two at once would index the same mails
      lastStep = lastStep.then(() => settle(id, 0, () => index(request)))
    },
  }
})

lowerPriority(5)
