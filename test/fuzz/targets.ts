import { maskSecrets } from '../../server/api-key-format.ts'
import { document } from '../../server/contract/document.ts'
import { customDomainName } from '../../server/domain/domains.ts'
import { AppError } from '../../server/errors.ts'
import { linkImages } from '../../server/http/compatible/compatible-call.ts'
import { splitMail } from '../../server/http/compatible/mailhog.ts'
import { parseQuery } from '../../server/http/compatible/mailpit-search.ts'
import { toCrlf } from '../../server/line-endings.ts'
import { domainOf, faultOfSender, nameIn, parseMailbox, parseRecipient, readPath, toALabels } from '../../server/mailbox.ts'
import { cleanText, cutText } from '../../server/mime/clean-text.ts'
import { withDetails } from '../../server/mime/email-details.ts'
import { detailsOf, showsOtherCode } from '../../server/mime/extract/code-details.ts'
import { findCodes } from '../../server/mime/extract/codes.ts'
import { scanHtml } from '../../server/mime/extract/scan-html.ts'
import { safeFilename } from '../../server/mime/parse/attachment.ts'
import { decodeBase64 } from '../../server/mime/parse/base64.ts'
import { decodeText } from '../../server/mime/parse/charset.ts'
import { readDeliveryReport } from '../../server/mime/parse/delivery-report.ts'
import { decodePercent, decodeWords } from '../../server/mime/parse/encoded-words.ts'
import { headerMap, readHeaderBlock } from '../../server/mime/parse/header-block.ts'
import { parseHeaderValue } from '../../server/mime/parse/header-value.ts'
import { openDecoder } from '../../server/mime/parse/part-decoder.ts'
import { readParts } from '../../server/mime/parse/parts.ts'
import { readFrom, readMailboxes, unwrapFlowed } from '../../server/mime/parse/read-content.ts'
import { decodeQuotedPrintable } from '../../server/mime/parse/transfer-encoding.ts'
import { decodeUuencode } from '../../server/mime/parse/uuencode.ts'
import { readHeadersOnly, readMessage } from '../../server/mime/read-message.ts'
import { isPublicAddress } from '../../server/network.ts'
import { reverseName, toDnsName } from '../../server/outbound/dns-name.ts'
import { authenticateMail } from '../../server/outbound/mail-authentication.ts'
import { readHead } from '../../server/outbound/mail-head.ts'
import { replyText, toSingleLine } from '../../server/outbound/reasons.ts'
import { refusalOf } from '../../server/outbound/webhook-target.ts'
import { smtpLimits } from '../../server/smtp/limits.ts'
import { parseSearch } from '../../server/store/search/search-query.ts'
import { queryTerms, searchedLength } from '../../server/store/search/search-terms.ts'
import { addTextTerms } from '../../server/store/search/searched-mail.ts'
import { hasPhrase } from '../../server/store/search/words.ts'
import { findLinks } from '../mime/extract/find-links.ts'
import { newKey } from '../support/signed-mail.ts'
import type { Grammar } from './atoms.ts'

/** A function that parses untrusted input. */
export interface Target {
  name: string
  grammars: Grammar[]
  /** Maximum bytes that its callers pass. */
  maxBytes: number
  /** Texts to put before and after the input; one pair is chosen at random. */
  shells?: [before: string, after: string][]
  /** @returns the function to measure */
  prepare(input: string): () => unknown
}

const MB = 1024 * 1024
const maxMailBytes = 10 * MB
/** Maximum bytes in a request: of a body, of `q`, and of a webhook's URL. */
const maxBodyBytes = MB
const maxQueryBytes = 200 * 3
const maxUrlBytes = 2_048 * 3
/** Maximum bytes of an SMTP command. */
const maxCommandBytes = smtpLimits.commandBytes
/** Maximum bytes of the head of a request. */
const maxHeaderBytes = 16 * 1024
/** Maximum bytes of another mail server's replies in one session. */
const maxSessionBytes = 64 * 1024

const text = (name: string, grammars: Grammar[], run: (input: string) => unknown, maxBytes = maxMailBytes): Target =>
  ({ name, grammars: ['plain', ...grammars], maxBytes, prepare: (input) => () => run(input) })
const bytes = (name: string, grammars: Grammar[], run: (input: Buffer) => unknown, shells?: Target['shells'], read = asSent): Target => ({
  name, grammars: ['plain', ...grammars], maxBytes: maxMailBytes, shells,
  prepare(input) {
    const buffer = read(input)
    return () => run(buffer)
  },
})
const asSent = (input: string) => Buffer.from(input)
/** The source of a mail as the server hands it on: with CRLF line endings. */
const asStored = (input: string) => Buffer.from(toCrlf(input)).subarray(0, maxMailBytes)

const mail = (contentType: string, ...more: string[]) =>
  ['From: a@x.example', 'Subject: s', `Content-Type: ${contentType}`, ...more].join('\r\n') + '\r\n\r\n'

const mailShells: [string, string][] = [
  ['', ''], ['Subject: ', '\r\n\r\ntext'], ['From: ', '\r\n\r\ntext'], ['Content-Type: ', '\r\n\r\ntext'], ['X-A: a\r\n', '\r\n\r\ntext'],
  ['Content-Type: multipart/mixed; boundary=b\r\nContent-Disposition: ', '\r\n\r\n--b\r\n'],
  ...['utf-8', 'iso-2022-jp', 'gb18030', 'utf-16', 'windows-1252', 'shift_jis', 'none'].map((charset): [string, string] => [mail(`text/plain; charset=${charset}`), '']),
  [mail('text/html; charset=utf-8'), ''], [mail('text/plain; format=flowed; delsp=yes'), ''],
  [mail('text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'), ''], [mail('text/html', 'Content-Transfer-Encoding: quoted-printable'), ''],
  [mail('image/png', 'Content-Transfer-Encoding: base64'), ''], [`${mail('image/png', 'Content-Transfer-Encoding: x-uuencode')}begin 644 a\r\n`, ''],
  [mail('message/rfc822'), ''],
  [mail('multipart/mixed; boundary=b'), '\r\n--b--'], [`${mail('multipart/mixed; boundary=b')}--b\r\nContent-Type: `, '\r\n\r\nx\r\n--b--'],
  [`${mail('multipart/mixed; boundary=b')}--b\r\nContent-Disposition: attachment; filename="`, '"\r\n\r\nx\r\n--b--'],
]

/** A DNS resolver with answers that a hostile sender chooses. */
const key = newKey('x.example', { bits: 1024 })
async function lookup(name: string, type: string): Promise<unknown[]> {
  if (type !== 'TXT') throw Object.assign(new Error('none'), { code: 'ENODATA' })
  if (name.includes('_domainkey')) return [[key.record]]
  return name.startsWith('_dmarc') ? [['v=DMARC1; p=none']] : [['v=spf1 a mx -all']]
}
const envelope = { sender: 'a@x.example', helo: 'x.example', remoteAddress: '192.0.2.1' }
async function* chunksOf(source: Buffer) {
  for (let at = 0; at < source.length; at += 256 * 1024) yield source.subarray(at, at + 256 * 1024)
}

function decodeInPieces(encoding: string, input: Buffer) {
  const decoder = openDecoder(encoding)
  for (let at = 0; at < input.length; at += 64 * 1024) decoder.push(input.subarray(at, at + 64 * 1024))
  return decoder.end()
}

/** Returns a thrown AppError as the result, as a refusal of the input is correct. */
const refused = (run: (input: string) => unknown) => (input: string) => {
  try {
    return run(input)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const config = { defaultDomain: 'mail.example', mxHost: 'mx.mail.example' } as Parameters<typeof customDomainName>[0]['config']
const patterns = [...new Set([...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map((found) => JSON.parse(found[1]!) as string))]
  .map((pattern) => new RegExp(pattern, 'u'))

export const targets: Target[] = [
  bytes('readMessage', ['header', 'body', 'html', 'url', 'code', 'address'], readMessage, mailShells),
  bytes('readHeadersOnly', ['header', 'body'], (input) => readHeadersOnly(input, null), mailShells),
  bytes('readHeaderBlock', ['header', 'address'], (input) => headerMap(readHeaderBlock(input))),
  bytes('readParts', ['header', 'body'], readParts, [[mail('multipart/mixed; boundary=b'), ''], ['', '']]),
  bytes('decodeBase64', ['body'], decodeBase64),
  bytes('decodeQuotedPrintable', ['body'], decodeQuotedPrintable),
  bytes('decodeUuencode', ['body'], decodeUuencode, [['begin 644 a\r\n', '\r\nend\r\n'], ['', '']]),
  ...['base64', 'quoted-printable', 'uuencode'].map((encoding) => bytes(`openDecoder ${encoding}`, ['body'], (input) => decodeInPieces(encoding, input))),
  ...['utf-8', 'iso-2022-jp', 'gb18030', 'utf-16', 'big5', 'euc-kr', 'shift_jis', 'windows-1251', 'cp850', 'hz-gb-2312', 'iso-2022-kr', 'none'].map((charset) => bytes(`decodeText ${charset}`, ['body'], (input) => decodeText(input, charset))),
  text('decodeText, name of the charset', ['header'], (input) => decodeText(Buffer.from('ä'), input), 32 * 1024),
  text('decodeWords', ['header'], decodeWords, 32 * 1024),
  text('decodePercent', ['header', 'url'], (input) => decodePercent(input, 'utf-8'), 32 * 1024),
  text('parseHeaderValue', ['header'], parseHeaderValue, 32 * 1024),
  text('readFrom', ['header', 'address'], readFrom, 32 * 1024),
  text('readMailboxes', ['header', 'address'], readMailboxes, 256 * 1024),
  {
    ...text('splitMail', ['header', 'body'], splitMail, 4 * MB),
    shells: [['', ''], [mail('multipart/mixed; boundary=b'), '\r\n--b--'], ['Content-Type: multipart/mixed; ', '\r\n\r\nx']],
  },
  text('linkImages', ['html', 'url'], (input) => linkImages(input, new Map([['a', 'b']]))),
  text('parseQuery', ['header', 'address'], (input) => parseQuery(input), maxHeaderBytes),
  text('safeFilename', ['header', 'url'], safeFilename, 32 * 1024),
  text('cleanText, cutText', [], (input) => cutText(cleanText(input), 100)),
  text('unwrapFlowed', ['body'], (input) => unwrapFlowed(input, true), 512 * 1024),
  text('findCodes', ['code', 'url'], (input) => findCodes(input.slice(0, 32 * 1024), input), 544 * 1024),
  text('withDetails', ['code', 'url', 'html'], (input) => withDetails({
    fromName: '', subject: input.slice(0, 1_000), bodyText: input, bodyHtml: input, hasOtherCode: false, hiddenText: false,
    links: [{ url: 'https://x.example/', text: input.slice(0, 200) }],
  })),
  text('detailsOf', ['code', 'url'], (input) => detailsOf([input.slice(0, 8), '482913'], input.slice(0, 1_000), input, input)),
  text('showsOtherCode', ['code', 'html'], (input) => showsOtherCode({ codes: ['482913'], text: input }, { codes: [input.slice(0, 8)], text: input }), 512 * 1024),
  { ...text('findLinks, text', ['url', 'address'], (input) => findLinks('', input)), shells: [['', ''], ['http://', '']] },
  { ...text('findLinks, HTML', ['html', 'url'], (input) => findLinks(input, '')), shells: [['', ''], ['<a href="http://', '">x</a>']] },
  text('scanHtml', ['html', 'code'], scanHtml),
  bytes('readDeliveryReport', ['report'], readDeliveryReport),
  text('addTextTerms', ['url', 'code', 'address'], (input) => addTextTerms(new Set(), {
    type: 'sent', recipients: [input.slice(0, 254)], from: input.slice(0, 320), fromName: input.slice(0, 8_192), subject: input.slice(0, 32_768),
    text: input.slice(0, searchedLength),
  }), 4 * searchedLength),
  text('queryTerms', ['url', 'code', 'address'], queryTerms, maxQueryBytes),
  text('parseSearch', ['header', 'address'], refused(parseSearch), maxQueryBytes),
  text('hasPhrase', ['url', 'code'], (input) => hasPhrase(input, input.slice(-200)), 4 * searchedLength),
  { ...text('readPath', ['address'], readPath, 2 * 1024), shells: [['MAIL FROM:<', '>'], ['RCPT TO:<"', '"@a.example>']] },
  text('parseMailbox', ['address'], parseMailbox, maxBodyBytes),
  text('nameIn', ['address'], nameIn, maxBodyBytes),
  text('domainOf', ['address', 'url'], (input) => [domainOf(input), toALabels(input)], maxBodyBytes),
  text('parseRecipient', ['address', 'url'], (input) => parseRecipient(input, { ...config, allowsUtf8: true }), maxCommandBytes),
  text('faultOfSender', ['address', 'url'], faultOfSender, maxCommandBytes),
  text('customDomainName', ['address', 'url'], refused((input) => customDomainName({ config }, input)), maxBodyBytes),
  text('toDnsName', ['address', 'url'], (input) => [toDnsName(input), reverseName(input)], maxBodyBytes),
  text('refusalOf a webhook URL', ['url'], (input) => refusalOf(input, false), maxUrlBytes),
  { ...text('refusalOf a webhook host', ['url'], (input) => refusalOf(input, false), maxUrlBytes), shells: [['https://', '/'], ['https://', '']] },
  text('isPublicAddress', ['url'], isPublicAddress, maxBodyBytes),
  text('maskSecrets', ['url', 'code'], maskSecrets, maxHeaderBytes),
  text('replyText', ['report'], (input) => [toSingleLine(input), replyText(input)], maxSessionBytes),
  ...patterns.map((pattern) => text(`pattern ${pattern.source.slice(0, 40)}`, ['address', 'url'], (input) => pattern.test(input), maxBodyBytes)),
  bytes('readHead', ['header', 'signature'], async (input) => {
    const { body } = await readHead(chunksOf(input))
    for await (const chunk of body) if (chunk.length < 0) return
  }),
  bytes('authenticateMail', ['header', 'signature', 'address'],
    (input) => authenticateMail(chunksOf(input), envelope, { lookup, mta: 'mx.example', sealKey: key, timeoutMs: 60_000 }),
    [['', ''], ['From: a@x.example\r\n', '\r\n\r\ntext'], ['DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s1; h=from; ', '\r\nFrom: a@x.example\r\n\r\ntext'],
      ['From: a@x.example\r\nDKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x.example; s=s1; h=from; bh=YQ==; b=YQ==\r\n\r\n', '']], asStored),
]
