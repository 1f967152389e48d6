import { CHARSET_BYTES } from './charset-bytes.ts'
import { base64Lines, bWord, file, line, percent, quotedLines, qWord, withBody, wire } from './mail.ts'
import type { CorpusMail, Line } from './mail.ts'

/** For each charset a mail that has it in subject, name, text and file name, with varying transfer encodings. */
const inEachCharset = CHARSET_BYTES.filter(({ isOfBodies }) => !isOfBodies).map(({ charset, text, bytes }, i): CorpusMail => {
  const [encoding, body] = ([['8bit', [bytes]], ['quoted-printable', quotedLines(bytes)], ['base64', base64Lines(bytes)]] as [string, Line[]][])[i % 3]!
  return {
    name: `charset ${charset} everywhere, text as ${encoding}`,
    raw: wire([
      `From: ${qWord(charset, bytes)} <jane@example.org>`, `Subject: ${bWord(charset, bytes)}`, 'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"', '',
      '--b', `Content-Type: text/plain; charset=${charset}`, `Content-Transfer-Encoding: ${encoding}`, '', ...body,
      '--b', 'Content-Type: application/octet-stream', `Content-Disposition: attachment; filename*=${charset}''${percent(bytes)}.bin`, '', 'file',
      '--b--', '',
    ]),
    expected: { subject: text, from: { name: text, address: 'jane@example.org' }, text, html: null, attachments: [file(`${text}.bin`, 'file')] },
  }
})

const bytesOf = (name: string) => CHARSET_BYTES.find(({ charset }) => charset === name)!

const inBodies = CHARSET_BYTES.filter(({ isOfBodies }) => isOfBodies).map(({ charset, label, text, bytes }) =>
  withBody(`charset ${charset} of a text`, [`Content-Type: text/plain; charset=${label ?? charset}`, 'Content-Transfer-Encoding: base64'], base64Lines(bytes), { text }))

/** Labels that are not registered, and labels that senders use for another charset. */
const labels: [label: string, charset: string][] = [
  ['UTF8', 'utf-8'], ['"utf-8"', 'utf-8'], ['" utf-8 "', 'utf-8'], ['Utf-8 (comment)', 'utf-8'], ['us-ascii', 'utf-8'], ['x-unknown', 'utf-8'], ['""', 'utf-8'],
  ['8bit', 'utf-8'], ['latin1', 'iso-8859-1'], ['ISO_8859-1', 'iso-8859-1'], ['iso8859-1', 'iso-8859-1'], ['iso-8859-1', 'windows-1252'], ['cp1252', 'windows-1252'],
  ['unknown-8bit', 'windows-1252'], ['windows1251', 'windows-1251'], ['win-1251', 'windows-1251'], ['cp-1251', 'windows-1251'], ['koi8r', 'koi8-r'],
  ['x-sjis', 'shift_jis'], ['cp932', 'shift_jis'], ['eucjp', 'euc-jp'], ['gb2312', 'gbk'], ['cp936', 'gbk'], ['x-gbk', 'gbk'], ['big5-hkscs', 'big5'],
  ['euckr', 'euc-kr'], ['ks_c_5601', 'euc-kr'], ['cp949', 'ks_c_5601-1987'], ['iso-8859-11', 'tis-620'], ['x-mac-roman', 'macintosh'],
]
const underLabels = labels.map(([label, charset]) => {
  const { text, bytes } = bytesOf(charset)
  return withBody(`label ${label} over ${charset}`, [`Content-Type: text/plain; charset=${label}`, 'Content-Transfer-Encoding: 8bit'], [bytes], { text })
})

const none = (['utf-8', 'windows-1252'] as const).map((charset) => {
  const { text, bytes } = bytesOf(charset)
  return withBody(`no label over ${charset}`, ['Content-Type: text/plain', 'Content-Transfer-Encoding: 8bit'], [bytes], { text })
})

const russian = bytesOf('windows-1251')
export const charsetMails: CorpusMail[] = [
  ...inEachCharset, ...inBodies, ...underLabels, ...none,
  withBody('a byte order mark before UTF-8', ['Content-Type: text/plain; charset=utf-8'], ['\ufeffHello, world.']),
  withBody('charset of a page that its header does not name', ['Content-Type: text/html', 'Content-Transfer-Encoding: 8bit'],
    [line('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', russian.bytes)],
    { text: '', html: `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">${russian.text}` }),
]
