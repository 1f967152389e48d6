import { lazyPart } from '../../ui/lazy-part.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { firstTasks } from '../addresses/task-record.ts'
import { mailListTexts as texts } from './texts.ts'

const FirstTasks = lazyPart(async () => (await import('../addresses/first-tasks.tsx')).FirstTasks, <div style={{ height: 86 }} />)

/** In place of the reader, before a mail is chosen; below, the first steps until they are hidden. */
export function ChooseMail() {
  const { isHidden } = firstTasks.use()
  return (
    <EmptyState title={texts.choose.title} action={!isHidden && <FirstTasks isHidable />}>{texts.choose.hint}</EmptyState>
  )
}
