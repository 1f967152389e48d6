/** The mails of the benchmark, as they go over the wire: dots stuffed, final dot included. */
export interface Mail {
  name: string
  source: Buffer
  count: number
}

const head = (subject: string, type: string) => [
  'From: Example Shop <no-reply@shop.example>',
  'To: bench@mail.localhost',
  `Subject: ${subject}`,
  'Date: Sat, 14 Mar 2026 09:00:00 +0000',
  'Message-ID: <bench@shop.example>',
  'MIME-Version: 1.0',
  `Content-Type: ${type}`,
]

const opening = [
  'Hello,', '',
  'thank you for signing up. Your confirmation code is 482913.',
  'Or follow this link: https://shop.example/confirm?t=Zk3v9aQ', '',
]
const line = 'You get this mail because somebody, most likely you, has opened an account with us today.'

const prose = (bytes: number) => Array.from({ length: Math.ceil(bytes / (line.length + 2)) }, () => line)
const text = (bytes: number) => [...opening, ...prose(bytes - opening.join('..').length)]

const html = (bytes: number) => [
  '<!doctype html><html><body style="font-family:sans-serif"><table>',
  ...text(bytes / 2).map((words, i) => `<tr><td class="c${i}"><p>${words} <a href="https://shop.example/o/${i}">order ${i}</a></p></td></tr>`),
  '</table></body></html>',
]

const base64 = (bytes: number) => {
  const content = Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 7919) % 256)).toString('base64')
  return content.match(/.{1,76}/g)!
}

const wire = (lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n.\r\n`)

export const mails: Mail[] = [
  { name: '2 kB text', count: 3_000, source: wire([...head('Your code', 'text/plain; charset=utf-8'), '', ...text(1_750)]) },
  {
    name: '35 kB HTML',
    count: 600,
    source: wire([
      ...head('Your order', 'multipart/alternative; boundary=b'), '',
      '--b', 'Content-Type: text/plain; charset=utf-8', '', ...text(2_000),
      '--b', 'Content-Type: text/html; charset=utf-8', '', ...html(32_000), '--b--',
    ]),
  },
  {
    name: '300 kB with an attachment',
    count: 100,
    source: wire([
      ...head('Your invoice', 'multipart/mixed; boundary=b'), '',
      '--b', 'Content-Type: text/plain; charset=utf-8', '', ...text(2_000),
      '--b', 'Content-Type: application/pdf; name=invoice.pdf', 'Content-Disposition: attachment; filename=invoice.pdf',
      'Content-Transfer-Encoding: base64', '', ...base64(215_000), '--b--',
    ]),
  },
]
