import type { Email, EmailSummary } from '@mayfly-mail/sdk'
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
    ...email.codes.map((code) => ['Code', paint(['bold', 'green'], oneLine(code))]),
    ...email.links.slice(0, maxLinks).map(({ url, text }) => ['Link', [url, text === url ? '' : `(${text})`].map(oneLine).join(' ').trim()]),
    ...email.links.length > maxLinks ? [['', `and ${email.links.length - maxLinks} more: --json shows them`]] : [],
    ...email.attachments.map(({ filename, contentType, size }) => ['File', `${oneLine(filename)}, ${oneLine(contentType)}, ${size} bytes`]),
  ] as [string, Text][]
  const head = fields.map(([name, value]) => value === '' ? paint('dim', `${name}:`) : join([paint('dim', (name && `${name}:`).padEnd(9)), value], ' '))
  return join([...head, '', manyLines(await textOf(email)).trimEnd()], '\n')
}

/** "Shop <shop@example.org>" */
export const sender = ({ from, fromName }: Pick<EmailSummary, 'from' | 'fromName'>): string =>
  oneLine(fromName ? `${fromName} <${from}>` : from)

async function textOf({ bodyText, bodyHtml }: Email) {
  if (bodyText.trim() || !bodyHtml) return bodyText
  const { htmlText } = await import('./html-text.ts')
  return htmlText(bodyHtml)
}
