import type { Email } from '@mayfly-mail/sdk'
import { readerTexts } from '../texts.ts'
import { CodeView } from './code-view.tsx'

/** The mail as the API has it. */
export const JsonPart = ({ email }: { email: Email }) =>
  <CodeView text={JSON.stringify(email, null, 2)} label={readerTexts.json.shown} copyLabel={readerTexts.json.copy} />
