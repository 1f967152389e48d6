import { createCipheriv } from 'node:crypto'

/** A mail of the benchmarks. All mails of a kind are equal, and every run makes the same ones. */
export interface Mail {
  name: string
  /** The mail as it goes over the wire: dots stuffed, final dot included. */
  source: Buffer
  /** Mails of a round. */
  count: number
}

const otp = () => wire([
  ...header('Your confirmation code', 'text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'),
  'Hello,', '',
  'your confirmation code is 731640. It is valid for fifteen minutes.',
  'Or follow this link: https://shop.example/confirm?t=Zk3v9aQ', '',
  ...repeat(11, 'You get this mail because somebody has opened an account with this address.'),
  'Grüße aus Köln', '',
])

const newsletter = () => wire([...header('The offers of this week', 'multipart/alternative; boundary=alt'), ...alternative('alt')])

const invoice = (attachmentBytes = 200_000) => wire([
  ...header('Your invoice of March', 'multipart/mixed; boundary=mix'),
  '--mix', 'Content-Type: multipart/alternative; boundary=alt', '', ...alternative('alt'),
  '--mix', 'Content-Type: application/pdf; name="invoice.pdf"', 'Content-Disposition: attachment; filename="invoice.pdf"',
  'Content-Transfer-Encoding: base64', '', ...linesOf(random(attachmentBytes, 2).toString('base64')), '--mix--',
])

/** A header with the fields that mail from a shop has. The domain has no key, so the signature is not valid. */
const header = (subject: string, type: string, ...more: string[]) => [
  'Received: from out.shop.example (192.0.2.25) by mx.mail.localhost with ESMTPS id 4k2; Sat, 14 Mar 2026 09:00:01 +0000',
  'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example; s=k1; h=from:to:subject;',
  ` bh=${random(32, 0).toString('base64')};`,
  ` b=${random(128, 1).toString('base64')}`,
  `From: =?utf-8?B?${Buffer.from('Café am Markt').toString('base64')}?= <no-reply@shop.example>`,
  'To: <bench@mail.localhost>',
  `Subject: ${subject}`,
  'Date: Sat, 14 Mar 2026 09:00:00 +0000',
  'Message-ID: <bench.1@shop.example>',
  'MIME-Version: 1.0',
  `Content-Type: ${type}`,
  ...more,
  '',
]

/** A text part and an HTML part, both quoted-printable. */
const alternative = (boundary: string) => [
  `--${boundary}`, 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '',
  ...quotedPrintable(repeat(72, 'This week — all shoes at half price')),
  `--${boundary}`, 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '',
  ...quotedPrintable([
    '<html><body>',
    ...repeat(195, '<table><tr><td style="color:#222">This week — all shoes at half price <a href="https://shop.example/s?id=7">see all</a></td></tr></table>'),
    '</body></html>',
  ]),
  `--${boundary}--`,
]

const quotedPrintable = (lines: string[]) => lines.flatMap((line) => {
  const escaped = line.replaceAll(/[^ -<>-~]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''))
  const pieces = escaped.match(/.{1,72}(?<!=.?)/g) ?? [''] // no piece ends within an escape
  return pieces.map((piece, i) => i < pieces.length - 1 ? `${piece}=` : piece)
})

const repeat = (count: number, line: string) => Array.from({ length: count }, () => line)

const linesOf = (text: string) => text.match(/.{1,76}/g)!

/** Bytes that look random: a stream cipher of zeros. */
const random = (bytes: number, seed: number) => createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(bytes))

const wire = (lines: string[]) => Buffer.from(`${lines.join('\r\n').replaceAll(/^\./gm, '..')}\r\n.\r\n`)

/** In the order of their size. */
export const mails: Mail[] = [
  { name: 'otp', source: otp(), count: 5_000 },
  { name: 'newsletter', source: newsletter(), count: 2_000 },
  { name: 'invoice', source: invoice(), count: 500 },
]

/** The source of a mail by its name; `large` is one of just below 25 MB, the limit of the server. */
export const sourceOf = (name: string): Buffer => name === 'large' ? invoice(18_900_000) : mails.find((mail) => mail.name === name)!.source
