import { fileURLToPath } from 'node:url'
import { encode } from './charsets.ts'
import { forms, urlsOf } from './forms.ts'
import type { Page } from './forms.ts'
import { readMails } from './read-mails.ts'
import type { WrittenMail } from './read-mails.ts'

/** A mail with what a person would type from it, and the link that a person would follow. */
export interface CodeMail extends Page {
  /** Language and position: "de 3". */
  name: string
  language: string
  form: string
  subject: string
  raw: Buffer
  codes: string[]
  /** Null when the mail has no link that it is for. */
  link: string | null
}

export const codeCorpus = (folder = fileURLToPath(new URL('./mails', import.meta.url))): CodeMail[] => readMails(folder).map(compose)

function compose(mail: WrittenMail): CodeMail {
  const { language, position, form, subject, codes, link } = mail
  const make = forms[form]
  if (!make) throw new Error(`${language} ${position}: there is no form ${form}`)
  const url = link === null ? null : urlsOf(mail)[link - 1]
  if (url === undefined) throw new Error(`${language} ${position}: it has no link ${link}`)
  const page = make(mail)
  return { name: `${language} ${position}`, language, form, subject, ...page, raw: rawOf(mail, page), codes, link: url }
}

function rawOf(mail: WrittenMail, { text, html }: Page): Buffer {
  const { host, subject, charset, position } = mail
  const parts = [...text === undefined ? [] : [partOf('plain', text, mail)], ...html === undefined ? [] : [partOf('html', html, mail)]]
  const head = [
    `From: ${host.charAt(0).toUpperCase()}${host.split('.')[0]!.slice(1)} <no-reply@${host}>`, 'To: <reader@inbox.example>',
    `Subject: ${encodedWords(subject, charset)}`, `Message-ID: <${position}.20261120@${host}>`, 'Date: Fri, 20 Nov 2026 10:41:00 +0000', 'MIME-Version: 1.0',
  ]
  if (parts.length === 1) return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n`), parts[0]!])
  return Buffer.concat([
    Buffer.from([...head, 'Content-Type: multipart/alternative; boundary="b1_part"', '', ''].join('\r\n')),
    ...parts.flatMap((part) => [Buffer.from('--b1_part\r\n'), part, Buffer.from('\r\n')]), Buffer.from('--b1_part--\r\n'),
  ])
}

/** A part in one of three transfer encodings, by the position of its mail. ISO-2022-JP has seven bits already. */
function partOf(type: string, text: string, { charset, position }: WrittenMail): Buffer {
  const bytes = encode(text.replaceAll('\n', '\r\n'), charset)
  const encoding = charset === 'iso-2022-jp' ? '7bit' : (['8bit', 'quoted-printable', 'base64'] as const)[position % 3]!
  const body = encoding === 'base64' ? bytes.toString('base64').replace(/.{76}/g, '$&\r\n') : encoding === 'quoted-printable' ? quotedPrintable(bytes) : bytes
  const head = `Content-Type: text/${type}; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(body as string)])
}

function quotedPrintable(bytes: Buffer): string {
  const escaped = bytes.toString('latin1').replace(/[^\r\n\x20-\x3c\x3e-\x7e]|[ \t](?=\r?\n|$)/g, (char) =>
    `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  return escaped.replace(/(?:[^=\r\n]|=..){73}(?=.)/g, '$&=\r\n')
}

/** Encoded words (RFC 2047) of at most ten characters each. */
const encodedWords = (subject: string, charset: string): string => /^[ -~]*$/.test(subject) ? subject :
  subject.match(/.{1,10}/gu)!.map((part) => `=?${charset}?B?${encode(part, charset).toString('base64')}?=`).join('\r\n ')
