import type { Email, EmailSummary } from '@mayfly-mail/sdk'
import { limitsOf } from '../../mcp/code-limits.ts'
import { join, manyLines, oneLine, paint } from '../output.ts'
import type { Text } from '../output.ts'

const maxLinks = 5

/** An email for a terminal: header fields, codes, links, attachments and text. */
export async function showEmail(email: Email): Promise<Text> {
  const fields = [
    ['From', sender(email)],
    ['To', oneLine(email.to)],
    ['Date', email.receivedAt.toISOString()],
    ['Subject', oneLine(email.subject)],
    ...email.status ? [['Status', [email.status, oneLine(email.failureReason ?? '')].filter(Boolean).join(': ')]] : [],
    ...email.codeDetails.map((detail) => ['Code', join([paint(['bold', 'green'], oneLine(detail.code)), oneLine(limitsOf(detail))].filter((part) => part !== ''), ' ')]),
    ...email.warnings.map((warning) => ['Warning', paint('yellow', warningText(warning))]),
    ...email.links.slice(0, maxLinks).map(({ url, text }) => ['Link', [url, text === url ? '' : `(${text})`].map(oneLine).join(' ').trim()]),
    ...email.links.length > maxLinks ? [['', `and ${email.links.length - maxLinks} more: --json shows them`]] : [],
    ...email.attachments.map(({ filename, contentType, size }) => ['File', `${oneLine(filename)}, ${oneLine(contentType)}, ${size} bytes`]),
  ] as [string, Text][]
  const head = fields.map(([name, value]) => value === '' ? paint('dim', `${name}:`) : join([paint('dim', (name && `${name}:`).padEnd(9)), value], ' '))
  return join([...head, '', manyLines(await textOf(email)).trimEnd()], '\n')
}

/** The sentence of a warning; its name, for one of a later server. */
function warningText({ type, host, namedHost }: Email['warnings'][number]): string {
  switch (type) {
    case 'hiddenText': return 'the HTML hides text from its reader'
    case 'invisibleCharacters': return 'text in characters that are not seen'
    case 'reorderedText': return 'letters are shown in another order than they are written in'
    case 'otherCode': return 'the HTML does not show the code of the text'
    case 'otherHost': return oneLine(`a link says ${namedHost} and leads to ${host}`)
    default: return oneLine(type)
  }
}

/** "Shop <shop@example.org>" */
export const sender = ({ from, fromName }: Pick<EmailSummary, 'from' | 'fromName'>): string =>
  oneLine(fromName ? `${fromName} <${from}>` : from)

async function textOf({ bodyText, bodyHtml }: Email) {
  if (bodyText.trim() || !bodyHtml) return bodyText
  const { htmlText } = await import('./html-text.ts')
  return htmlText(bodyHtml)
}
