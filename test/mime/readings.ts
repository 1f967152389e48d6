import { domainToASCII } from 'node:url'
import { simpleParser } from 'mailparser'
import type { ParsedMail } from 'mailparser'
import { readContent } from '../../server/mime/parse/read-content.ts'
import { corpusMails } from './corpus/mails/index.ts'
import type { Expected } from './corpus/mails/mail.ts'
import { contentOf } from './read-corpus.ts'

export const fields = ['subject', 'from', 'text', 'attachments'] as const
export type Field = typeof fields[number]

/** The result of a parser. */
export type Reading = Omit<Expected, 'html'> & { html: string }

export function ourReading(raw: Buffer): Reading {
  const { subject, from, fromName, text, html, attachments } = readContent(raw)
  return {
    subject, text, html,
    from: { name: fromName, address: from },
    attachments: attachments.map((attachment) => ({ name: attachment.filename, content: contentOf(raw, attachment) })),
  }
}

/** The result of mailparser; undefined when it fails. */
async function mailparserReading(raw: Buffer): Promise<Reading | undefined> {
  const mail = await parseByMailparser(raw).catch(() => undefined)
  if (!mail) return undefined
  const senders = (mail.from?.value ?? []).flatMap((sender) => sender.group ?? [sender])
  const sender = senders.find(({ address }) => address) ?? senders[0]
  return {
    subject: mail.subject ?? '', text: mail.text ?? '', html: mail.html || '',
    from: { name: sender?.name ?? '', address: sender?.address ?? '' },
    attachments: mail.attachments.map(({ filename, content }) => ({ name: filename ?? '', content })),
  }
}

/** Disables the conversion between text and HTML. Messages and reports are attachments, as in the parser of this server. */
export const parseByMailparser = (raw: Buffer): Promise<ParsedMail> => simpleParser(raw, {
  skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true, keepDeliveryStatus: true, ignoreEmbedded: true,
} as Parameters<typeof simpleParser>[1])

/** Compares the fields, except white space at the ends of a text and the amount of it in a line of the header. */
export function rightFields(expected: Expected, reading: Reading | undefined): Record<Field, boolean> {
  if (!reading) return { subject: false, from: false, text: false, attachments: false }
  return {
    subject: oneLine(reading.subject) === oneLine(expected.subject),
    from: oneLine(reading.from.name) === oneLine(expected.from.name) && sameAddress(reading.from.address, expected.from.address),
    text: withoutEnds(reading.text) === withoutEnds(expected.text)
      && (expected.html === null || withoutEnds(reading.html) === withoutEnds(expected.html)),
    attachments: reading.attachments.length === expected.attachments.length && expected.attachments.every(({ name, content }, i) =>
      reading.attachments[i]!.content.equals(content) && (name === null || reading.attachments[i]!.name === name)),
  }
}

export interface Counts { ours: number, mailparser: number }

/** Counts the mails of the corpus that each parser reads correctly, field by field. */
export async function countRight(): Promise<Record<Field, Counts>> {
  const counts = Object.fromEntries(fields.map((field) => [field, { ours: 0, mailparser: 0 }])) as Record<Field, Counts>
  for (const { raw, expected } of corpusMails) {
    const [ours, theirs] = [rightFields(expected, ourReading(raw)), rightFields(expected, await mailparserReading(raw))]
    for (const field of fields) {
      counts[field].ours += Number(ours[field])
      counts[field].mailparser += Number(theirs[field])
    }
  }
  return counts
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** mailparser also adds line breaks around HTML. */
const withoutEnds = (text: string) => text.replaceAll('\r\n', '\n').replace(/^(?:<br\/?>|\s)+|(?:<br\/?>|\s)+$/g, '')

/** mailparser returns domains in Unicode, the parser of this server as the sender wrote them. */
function sameAddress(a: string, b: string): boolean {
  const spelled = (address: string) => {
    const at = address.lastIndexOf('@') + 1
    return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at).toLowerCase())
  }
  return spelled(a) === spelled(b)
}
