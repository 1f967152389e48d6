import { EmptyState } from '../../ui/states.tsx'
import { mailListTexts as texts } from './texts.ts'

/** In place of the reader, before a mail is chosen. */
export const ChooseMail = () => <EmptyState title={texts.choose.title}>{texts.choose.hint}</EmptyState>
