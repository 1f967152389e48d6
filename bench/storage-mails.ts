/** Mails of which the store's use of time and space is measured. */
export interface StoredMail {
  name: string
  source: Buffer
  /** Mails in a commit. */
  groups: number[]
}

const head = (subject: string, type: string) => [
  'Received: from mx.shop.example (192.0.2.7) by mail.example with ESMTPS id abc; Sat, 14 Mar 2026 09:00:00 +0000',
  'From: Example Shop <no-reply@shop.example>', 'To: bench@mail.example', `Subject: ${subject}`, 'Date: Sat, 14 Mar 2026 09:00:00 +0000',
  'Message-ID: <bench@shop.example>', 'MIME-Version: 1.0', `Content-Type: ${type}`,
]

/** The same numbers in each run. */
let seed = 1
const random = (below: number) => {
  seed = Math.imul(seed, 1_103_515_245) + 12_345 >>> 0
  return (seed >>> 16) % below // the low bits repeat soon
}
const token = (length: number) => Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[random(36)]).join('')

const words = ('the of and to your for with order is you this account that from we our on are now here more new day offer shop price free '
  + 'until week find what made every size gift color best order number payment delivery address summer collection discover style reviews '
  + 'customer service question answer return policy privacy unsubscribe website browser Größe Straße für naïve café').split(' ')
const prose = (count: number) => Array.from({ length: count }, () => words[Math.min(random(words.length), random(words.length))]).join(' ')

/** Quoted-printable, in lines of at most 76 characters. */
const quoted = (lines: string[]) => lines.map((line) => Buffer.from(line).toString('latin1')
  .replace(/[=\x80-\xff]/g, (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  .replace(/(?=.)(?:=..|.){1,73}(?=.{3})/g, '$&=\r\n')).join('\r\n')

const alternative = (boundary: string, text: string[], html: string[]) => [
  `--${boundary}`, 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '', quoted(text),
  `--${boundary}`, 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '', quoted(html), `--${boundary}--`,
]

/** A table cell as editors of newsletters write it: inline styles, an image, and links with tokens. */
const cell = () => `<td align="center" valign="top" style="padding:${random(20)}px 0;font-family:Helvetica,Arial,sans-serif;font-size:${12 + random(8)}px;color:#${token(6)}">`
  + `<a href="https://click.shop.example/${token(24)}?u=${token(16)}&amp;c=${random(9999)}" target="_blank"><img src="https://cdn.shop.example/i/${token(12)}.png" `
  + `width="${random(600)}" alt="${prose(3)}" style="display:block;border:0"></a><p style="margin:0 0 ${random(20)}px">${prose(28)}</p></td>`
const newsletter = [
  '<!doctype html><html><head><style>', ...Array.from({ length: 20 }, (_, i) => `.c${i}{color:#${token(6)};padding:${random(40)}px}`), '</style></head><body><table>',
  ...Array.from({ length: 42 }, () => `<tr>${cell()}</tr>`), '</table></body></html>',
]

const repeatedRow = '<table><tr><td style="color:#333">Offer of the day — 20% off <a href="https://shop.example/x?id=1">here</a></td></tr></table>'
const repeatedText = Array.from({ length: 80 }, () => 'Offer of the day — 20% off')
const repeatedPage = Array.from({ length: 220 }, () => repeatedRow)

const pdf = Buffer.from(Array.from({ length: 200_000 }, () => random(256))).toString('base64').match(/.{1,76}/g)!

const wire = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`)

export const storedMails: StoredMail[] = [
  {
    name: 'text of 2 kB',
    groups: [1, 8, 20],
    source: wire(...head('Your code', 'text/plain; charset=utf-8'), '', 'Your confirmation code is 482913.', '', ...Array.from({ length: 16 }, () => prose(14))),
  },
  {
    name: 'newsletter, one row',
    groups: [8],
    source: wire(...head('Newsletter', 'multipart/alternative; boundary=b'), '', ...alternative('b', repeatedText, repeatedPage)),
  },
  {
    name: 'newsletter, rows differ',
    groups: [1, 8],
    source: wire(...head('Newsletter', 'multipart/alternative; boundary=b'), '',
      ...alternative('b', Array.from({ length: 20 }, () => prose(14)), newsletter)),
  },
  {
    name: 'invoice with a PDF',
    groups: [1, 8],
    source: wire(...head('Invoice', 'multipart/mixed; boundary=m'), '', '--m', 'Content-Type: multipart/alternative; boundary=b', '',
      ...alternative('b', repeatedText, repeatedPage), '--m', 'Content-Type: application/pdf; name=invoice.pdf',
      'Content-Disposition: attachment; filename=invoice.pdf', 'Content-Transfer-Encoding: base64', '', ...pdf, '--m--'),
  },
]
