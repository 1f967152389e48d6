import { base64Lines, file, latin1, quotedLines, textPart, withBody, withParts } from './mail.ts'
import type { CorpusMail, Line } from './mail.ts'

const text = 'Content-Type: text/plain; charset=utf-8'
const encoding = (name: string) => `Content-Transfer-Encoding: ${name}`
const greeting = 'Grüße aus Köln'
const bytes = Buffer.from(greeting)

/** A file of all 256 bytes, encoded. */
const content = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
const withContent = (name: string, header: string[], body: Line[], expected: Buffer = content): CorpusMail => withParts(name, 'multipart/mixed',
  [textPart, ['Content-Type: application/octet-stream; name=a.bin', ...header, '', ...body]], { attachments: [file('a.bin', expected)] })

/** "Cat" and "http://www.wikipedia.org\r\n", as uuencode writes them. */
const cat = ['begin 644 cat.txt', '#0V%T', '`', 'end']
const url = ['begin 644 url.txt', `::'1T<#HO+W=W=RYW:6MI<&5D:6$N;W)G#0H`, '`', 'end']

export const transferMails: CorpusMail[] = [
  withBody('text in quoted-printable', [text, encoding('quoted-printable')], ['Gr=C3=BC=C3=9Fe aus K=C3=B6ln'], { text: greeting }),
  withBody('text in quoted-printable, in lower case hex', [text, encoding('quoted-printable')], ['Gr=c3=bc=c3=9fe aus K=c3=b6ln'], { text: greeting }),
  withBody('text in quoted-printable with soft breaks', [text, encoding('quoted-printable')], quotedLines(bytes), { text: greeting }),
  withBody('text in quoted-printable with white space behind a soft break', [text, encoding('quoted-printable')], ['Gr=C3=BC=C3=9Fe = \t', 'aus K=C3=B6ln'], { text: greeting }),
  withBody('text in quoted-printable with white space at the ends of lines', [text, encoding('quoted-printable')], ['one  ', 'two\t', 'three=20'], { text: 'one\ntwo\nthree' }),
  withBody('text in quoted-printable with equals signs that are not escaped', [text, encoding('quoted-printable')], ['a=b 1 = 1 =', 'x=zz'], { text: 'a=b 1 = 1 x=zz' }),
  withBody('text in quoted-printable that is cut off', [text, encoding('quoted-printable')], ['Gr=C3=BC=C3=9Fe aus K=C3=B6ln='], { text: greeting }),
  withBody('text in quoted-printable with raw bytes', [text, encoding('quoted-printable')], ['Grüße aus K=C3=B6ln'], { text: greeting }),
  withBody('text in base64', [text, encoding('base64')], base64Lines(bytes), { text: greeting }),
  withBody('text in base64 on one long line', [text, encoding('base64')], [Buffer.from(`${greeting} `.repeat(100)).toString('base64')],
    { text: `${greeting} `.repeat(100).trim() }),
  withBody('text in base64 in lines of odd length', [text, encoding('base64')], bytes.toString('base64').match(/.{1,5}/g)!, { text: greeting }),
  withBody('text in base64 without padding', [text, encoding('base64')], [bytes.toString('base64').replace(/=+$/, '')], { text: greeting }),
  withBody('text in base64 with white space', [text, encoding('base64')], base64Lines(bytes).map((line) => ` ${line.replaceAll(/(.{7})/g, '$1 ')}\t`), { text: greeting }),
  withBody('text in base64 with characters that are none', [text, encoding('base64')], [`!${bytes.toString('base64').replaceAll(/(.{6})/g, '$1*')}`], { text: greeting }),
  withBody('text in 8bit', [text, encoding('8bit')], [greeting], { text: greeting }),
  withBody('text in binary', [text, encoding('binary')], [greeting], { text: greeting }),
  withBody('text in 7bit with raw bytes', [text, encoding('7bit')], [greeting], { text: greeting }),
  withBody('text without an encoding', [text], [greeting], { text: greeting }),
  withBody('text in Latin-1 as 8bit', ['Content-Type: text/plain; charset=iso-8859-1', encoding('8bit')], [latin1('Gr\xfc\xdfe aus K\xf6ln')], { text: greeting }),
  withBody('encoding in upper case', [text, encoding('BASE64')], base64Lines(bytes), { text: greeting }),
  withBody('encoding with a comment', [text, encoding('base64 (MIME)')], base64Lines(bytes), { text: greeting }),
  withBody('encoding with a semicolon', [text, encoding('quoted-printable;')], ['Gr=C3=BC=C3=9Fe aus K=C3=B6ln'], { text: greeting }),
  withBody('encoding of another name', [text, encoding('8-bit')], [greeting], { text: greeting }),
  withBody('encoding that is empty', [text, encoding('')], [greeting], { text: greeting }),
  withBody('text in uuencode', [text, encoding('x-uuencode')], url, { text: 'http://www.wikipedia.org' }),
  withContent('file in base64', [encoding('base64')], base64Lines(content)),
  withContent('file in base64, on lines that begin with white space', [encoding('base64')], base64Lines(content).map((line) => `  ${line}`)),
  withContent('file in quoted-printable', [encoding('quoted-printable')], quotedLines(content)),
  withContent('file in 8bit', [encoding('8bit')], [latin1('Gr\xfc\xdfe\0')], latin1('Gr\xfc\xdfe\0')),
  withContent('file of several padded pieces of base64', [encoding('base64')], ['Zmk=', 'bGU='], Buffer.from('file')),
  withContent('file of no bytes in base64', [encoding('base64')], [''], Buffer.alloc(0)),
  withContent('file in uuencode', [encoding('x-uuencode')], cat, Buffer.from('Cat')),
  withContent('file in uuencode of another name', [encoding('x-uue')], cat, Buffer.from('Cat')),
  withContent('file in uuencode behind an empty line', [encoding('uuencode')], ['', ...cat, ''], Buffer.from('Cat')),
]
