import { addressMails } from './addresses.ts'
import { charsetMails } from './charsets.ts'
import { encodedWordMails } from './encoded-words.ts'
import { headerMails } from './headers.ts'
import { kindMails } from './kinds.ts'
import type { CorpusMail } from './mail.ts'
import { parameterMails } from './parameters.ts'
import { structureMails } from './structure.ts'
import { transferMails } from './transfer.ts'

/** Mails with their expected readings, which were written without a parser. */
export const corpusMails: CorpusMail[] = [
  ...headerMails, ...encodedWordMails, ...addressMails, ...charsetMails,
  ...structureMails, ...transferMails, ...parameterMails, ...kindMails,
]
