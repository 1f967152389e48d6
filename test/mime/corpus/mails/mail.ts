/** A mail and its expected reading: by the RFCs or, where they leave it open, by the intention of the sender. */
export interface CorpusMail {
  name: string
  raw: Buffer
  expected: Expected
}

export interface Expected {
  subject: string
  from: { name: string, address: string }
  /** The text of its text parts. */
  text: string
  /** The HTML of its HTML parts; null when it is not compared. */
  html: string | null
  /** In the order of the mail; the name is null when the mail has none. */
  attachments: { name: string | null, content: Buffer }[]
}

/** A line as UTF-8, or its bytes. */
export type Line = string | Buffer

export const jane = { name: 'Jane Doe', address: 'jane@example.org' }
export const from = 'From: Jane Doe <jane@example.org>'
export const head = [from, 'Subject: Hello', 'MIME-Version: 1.0']
export const hello = 'Hello, world.'

/** @param expected differences from the default: from Jane, subject "Hello", text "Hello, world." */
export const mail = (name: string, lines: Line[], expected: Partial<Expected> = {}): CorpusMail => ({
  name, raw: wire(lines), expected: { subject: 'Hello', from: jane, text: hello, html: null, attachments: [], ...expected },
})

export const withSubject = (name: string, value: Line, subject: string): CorpusMail =>
  mail(name, [from, line('Subject: ', value), '', hello], { subject })

export const withFrom = (name: string, value: Line, sender: string, address: string): CorpusMail =>
  mail(name, [line('From: ', value), 'Subject: Hello', '', hello], { from: { name: sender, address } })

/** A mail of one part. */
export const withBody = (name: string, header: Line[], body: Line[], expected: Partial<Expected> = {}): CorpusMail =>
  mail(name, [...head, ...header, '', ...body], expected)

/** A mail of several parts, each with its header; the text is the first. */
export const withParts = (name: string, type: string, parts: Line[][], expected: Partial<Expected> = {}): CorpusMail =>
  mail(name, [...head, `Content-Type: ${type}; boundary=b`, '', ...parts.flatMap((part) => ['--b', ...part]), '--b--', ''], expected)

export const textPart: Line[] = ['Content-Type: text/plain; charset=utf-8', '', hello]

/** A mail with a file of the bytes "file". */
export const withFile = (name: string, header: Line[], fileName: string | null): CorpusMail =>
  withParts(name, 'multipart/mixed', [textPart, [...header, '', 'file']], { attachments: [file(fileName, 'file')] })

export const file = (name: string | null, content: string | Buffer) => ({ name, content: Buffer.from(content) })

/** Bytes of Latin-1 text. */
export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

export const line = (...pieces: Line[]): Buffer => Buffer.concat(pieces.map((piece) => Buffer.from(piece)))

export const wire = (lines: Line[], lineBreak = '\r\n'): Buffer =>
  Buffer.concat(lines.flatMap((text, i) => i === 0 ? [Buffer.from(text)] : [Buffer.from(lineBreak), Buffer.from(text)]))

export const base64Lines = (bytes: Buffer): string[] => bytes.toString('base64').match(/.{1,76}/g) ?? ['']

/** Each byte escaped, in lines that end with a soft break. */
export const quotedLines = (bytes: Buffer): string[] => {
  const lines = escaped(bytes, '=').match(/.{1,72}/g) ?? ['']
  return lines.map((text, i) => i < lines.length - 1 ? `${text}=` : text)
}

export const qWord = (charset: string, bytes: Buffer): string => `=?${charset}?Q?${escaped(bytes, '=')}?=`
export const bWord = (charset: string, bytes: Buffer): string => `=?${charset}?B?${bytes.toString('base64')}?=`
export const percent = (bytes: Buffer): string => escaped(bytes, '%')

const escaped = (bytes: Buffer, sign: string) => [...bytes].map((byte) => sign + byte.toString(16).toUpperCase().padStart(2, '0')).join('')
