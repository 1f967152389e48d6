import { Button } from '@mantine/core'
import { EmptyState } from '../../ui/states.tsx'
import { mailListTexts as texts } from './texts.ts'

/** In place of a list without rows. */
export function EmptyList({ isSearch, onReset }: { isSearch: boolean, onReset: (() => void) | undefined }) {
  if (!onReset) return <EmptyState title={texts.empty.mailbox.title}>{texts.empty.mailbox.hint}</EmptyState>
  const { title, hint, action } = isSearch ? texts.empty.search : texts.empty.filter
  return <EmptyState title={title} action={<Button variant="default" size="sm" onClick={onReset}>{action}</Button>}>{hint}</EmptyState>
}
