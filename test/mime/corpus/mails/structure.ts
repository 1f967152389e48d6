import { file, from, head, hello, mail, textPart, wire, withBody, withParts } from './mail.ts'
import type { CorpusMail, Expected, Line } from './mail.ts'

const page = '<p>Hello, <b>world</b>.</p>'
const htmlPart: Line[] = ['Content-Type: text/html; charset=utf-8', '', page]
const png: Line[] = ['Content-Type: image/png; name=logo.png', 'Content-ID: <logo@example.org>', 'Content-Disposition: inline; filename=logo.png', 'Content-Transfer-Encoding: base64', '', 'iVBORw0KGgo=']
const pngFile = file('logo.png', Buffer.from('89504e470d0a1a0a', 'hex'))
const pdf: Line[] = ['Content-Type: application/pdf; name=a.pdf', 'Content-Disposition: attachment; filename=a.pdf', '', '%PDF-']
const pdfFile = file('a.pdf', '%PDF-')

/** A multipart within another. */
const nested = (type: string, boundary: string, parts: Line[][]): Line[] =>
  [`Content-Type: ${type}; boundary=${boundary}`, '', ...parts.flatMap((part) => [`--${boundary}`, ...part]), `--${boundary}--`]
const alternative = nested('multipart/alternative', 'alt', [textPart, htmlPart])

const mixed = (name: string, body: Line[], expected: Partial<Expected> = {}): CorpusMail =>
  mail(name, [...head, 'Content-Type: multipart/mixed; boundary=b', '', ...body], expected)

/** Twenty multiparts, one within another. */
const deep = (depth: number): Line[] => depth === 0 ? textPart : nested('multipart/mixed', `d${depth}`, [deep(depth - 1)])

export const structureMails: CorpusMail[] = [
  withBody('text/plain', ['Content-Type: text/plain'], [hello]),
  withBody('text/plain in upper case', ['CONTENT-TYPE: TEXT/PLAIN; CHARSET=UTF-8'], ['Grüße'], { text: 'Grüße' }),
  withBody('no content type', [], [hello]),
  withBody('content type that is empty', ['Content-Type:'], [hello]),
  // RFC 2045, section 5.2: a malformed type is taken for text/plain
  withBody('content type "text"', ['Content-Type: text'], [hello]),
  withBody('content type without a semicolon before its parameter', ['Content-Type: text/plain charset=utf-8'], ['Grüße'], { text: 'Grüße' }),
  withBody('content type and encoding on one line', ['Content-Type: text/html Content-Transfer-Encoding: 8bit'], [page], { text: '', html: page }),
  withBody('disposition without a content type', ['Content-Disposition: inline'], [hello]),
  withBody('disposition that is empty', ['Content-Type: text/plain', 'Content-Disposition:'], [hello]),
  withBody('text/html', ['Content-Type: text/html; charset=utf-8'], [page], { text: '', html: page }),
  withBody('text/html in base64', ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64'],
    [Buffer.from(page).toString('base64')], { text: '', html: page }),
  withParts('alternative', 'multipart/alternative', [textPart, htmlPart], { html: page }),
  withParts('alternative, page first', 'multipart/alternative', [htmlPart, textPart], { html: page }),
  withParts('alternative of a page alone', 'multipart/alternative', [htmlPart], { text: '', html: page }),
  withParts('related', 'multipart/related', [htmlPart, png], { text: '', html: page, attachments: [pngFile] }),
  withParts('related in alternative', 'multipart/alternative', [textPart, nested('multipart/related', 'rel', [htmlPart, png])], { html: page, attachments: [pngFile] }),
  withParts('alternative in related', 'multipart/related', [alternative, png], { html: page, attachments: [pngFile] }),
  withParts('alternative in mixed', 'multipart/mixed', [alternative, pdf], { html: page, attachments: [pdfFile] }),
  withParts('related in alternative in mixed', 'multipart/mixed',
    [nested('multipart/alternative', 'alt', [textPart, nested('multipart/related', 'rel', [htmlPart, png])]), pdf], { html: page, attachments: [pngFile, pdfFile] }),
  withParts('mixed in alternative, as one mail program writes it', 'multipart/alternative',
    [textPart, nested('multipart/mixed', 'mix', [htmlPart, png])], { html: page, attachments: [pngFile] }),
  withParts('text around a file', 'multipart/mixed', [textPart, pdf, ['Content-Type: text/plain', '', 'Good bye.']], { text: `${hello}\nGood bye.`, attachments: [pdfFile] }),
  withParts('file before the text', 'multipart/mixed', [pdf, textPart], { attachments: [pdfFile] }),
  withParts('two files of one name', 'multipart/mixed', [textPart, pdf, pdf], { attachments: [pdfFile, pdfFile] }),
  withParts('a file alone', 'multipart/mixed', [pdf], { text: '', attachments: [pdfFile] }),
  withParts('multipart of a type that is not known', 'multipart/x-own', [textPart, pdf], { attachments: [pdfFile] }),
  withParts('twenty multiparts, one within another', 'multipart/mixed', [deep(20)]),
  withParts('parts without a header', 'multipart/mixed', [['', hello], ['', 'Good bye.']], { text: `${hello}\nGood bye.` }),
  withParts('part of an empty line', 'multipart/mixed', [textPart, ['Content-Type: text/plain', '', '']]),
  withParts('part without a body', 'multipart/mixed', [textPart, ['Content-Type: image/png; name=a.png', '']], { attachments: [file('a.png', '')] }),
  withParts('part whose text ends with empty lines', 'multipart/mixed', [['', hello, '', ''], pdf], { attachments: [pdfFile] }),
  withParts('file that ends with a line break', 'multipart/mixed', [textPart, [...pdf, '']], { attachments: [file('a.pdf', '%PDF-\r\n')] }),
  withParts('300 parts', 'multipart/mixed', [textPart, ...Array.from({ length: 300 }, () => pdf)], { attachments: Array.from({ length: 300 }, () => pdfFile) }),
  // mailparser gives up a mail of more than 1,000 parts
  withParts('1,100 parts', 'multipart/mixed', [textPart, ...Array.from({ length: 900 }, () => pdf), ...Array.from({ length: 200 }, () => ['Content-Type: text/plain', '', ''])],
    { attachments: Array.from({ length: 900 }, () => pdfFile) }),
  mixed('preamble and epilogue', ['This is a multipart mail.', '--b', ...textPart, '--b--', 'This is its end.', '']),
  mixed('preamble that looks like a part', ['Content-Type: text/plain', '', 'preamble', '--b', ...textPart, '--b--', '']),
  mixed('epilogue that looks like a part', ['--b', ...textPart, '--b--', '--b', '', 'epilogue', '--b--', '']),
  mixed('white space behind a boundary', ['--b  ', ...textPart, '--b-- \t', '']),
  mixed('lines that begin like the boundary', ['--b', '', hello, '--bc', '-- b', ' --b', '--', '--b--', ''], { text: `${hello}\n--bc\n-- b\n --b\n--` }),
  mixed('no last boundary', ['--b', ...textPart, '--b', ...pdf], { attachments: [pdfFile] }),
  mixed('no last boundary of the multipart within', ['--b', 'Content-Type: multipart/alternative; boundary=a', '', '--a', ...textPart, '--a', ...htmlPart, '--b', ...pdf, '--b--', ''],
    { html: page, attachments: [pdfFile] }),
  mixed('boundary of the multipart within that begins like the other', ['--b', 'Content-Type: multipart/alternative; boundary=bb', '', '--bb', ...textPart, '--bb', ...htmlPart, '--bb--', '--b', ...pdf, '--b--', ''],
    { html: page, attachments: [pdfFile] }),
  mixed('boundary that ends a header', ['--b', 'Content-Type: image/png; name=a.png', '--b', ...textPart, '--b--', ''], { attachments: [file('a.png', '')] }),
  mail('boundary that is not there', [...head, 'Content-Type: multipart/mixed; boundary=c', '', '--b', '', hello, '--b--'], { text: `--b\n\n${hello}\n--b--` }),
  mail('no boundary', [...head, 'Content-Type: multipart/mixed', '', hello]),
  { name: 'bare LF between parts', raw: wire([...head, 'Content-Type: multipart/mixed; boundary=b', '', '--b', ...textPart, '--b', ...pdf, '--b--', ''], '\n'),
    expected: { subject: 'Hello', from: { name: 'Jane Doe', address: 'jane@example.org' }, text: hello, html: null, attachments: [pdfFile] } },
  mail('text without MIME-Version', [from, 'Subject: Hello', 'Content-Type: multipart/mixed; boundary=b', '', '--b', ...textPart, '--b', ...pdf, '--b--'], { attachments: [pdfFile] }),
]
