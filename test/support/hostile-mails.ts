const MB = 1024 * 1024

const head = (name: string, ...lines: string[]) => [`From: attacker@example.org`, `Subject: hostile ${name}`, ...lines].join('\r\n')
const mixed = 'Content-Type: multipart/mixed; boundary=b'

/** 25 mails that are designed to cost a parser much time or memory. */
export function hostileMails(): { name: string, source: string }[] {
  const mails: Record<string, () => string> = {
    'ten thousand parts': () => `${head('parts', mixed)}\r\n\r\n${'--b\r\nContent-Type: image/png\r\n\r\nx\r\n'.repeat(10_000)}--b--\r\n`,
    'a million empty parts': () => `${head('empty parts', mixed)}\r\n\r\n${'--b\r\n\r\n'.repeat(1_000_000)}`,
    'nested 1,000 deep': () => `${head('nesting', 'Content-Type: multipart/mixed; boundary=b0')}\r\n\r\n${
      Array.from({ length: 1_000 }, (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`).join('')}deep\r\n`,
    'messages in messages': () => `${head('messages')}\r\n${'Content-Type: message/rfc822\r\n\r\n'.repeat(5_000)}x\r\n`,
    '16 MB of HTML': () => `${head('html', 'Content-Type: text/html')}\r\n\r\n${'<p>word <b>bold</b></p>\r\n'.repeat(16 * MB / 25)}`,
    'a million open tags': () => `${head('tags', 'Content-Type: text/html')}\r\n\r\n${'<div><a href=http://x.example/>\r\n'.repeat(300_000)}`,
    'one tag that never ends': () => `${head('tag', 'Content-Type: text/html')}\r\n\r\n<a ${'x="1" '.repeat(500_000)}\r\n`,
    'a million links': () => `${head('links', 'Content-Type: text/plain')}\r\n\r\n${'https://x.example/verify?code=123456 \r\n'.repeat(200_000)}`,
    'a header line of 16 MB': () => `${head('header line', `X-Long: ${'a'.repeat(16 * MB)}`)}\r\n\r\nx\r\n`,
    'a header that never ends': () => `${head('header')}\r\n${'X-More: and more\r\n'.repeat(500_000)}`,
    'a folded header': () => `${head('folds', `X-Fold: a${'\r\n b'.repeat(1_000_000)}`)}\r\n\r\nx\r\n`,
    '100,000 recipients': () => `${head('recipients', `To: ${'someone <a@example.org>, '.repeat(100_000)}x@example.org`)}\r\n\r\nx\r\n`,
    'encoded words': () => `${head('words')} ${'=?utf-8?B?4pyT?= '.repeat(60_000)}\r\n\r\nx\r\n`,
    'brackets in From': () => `From: ${'<"('.repeat(300_000)}\r\nSubject: hostile brackets\r\n\r\nx\r\n`,
    'name continuations': () => `${head('names', 'Content-Type: application/pdf;' +
      Array.from({ length: 100_000 }, (_, i) => `\r\n name*${i}="x";`).join(''))}\r\n\r\nx\r\n`,
    'a broken boundary': () => `${head('broken', 'Content-Type: multipart/mixed; boundary="b')}\r\n\r\n${'--b \r\n'.repeat(300_000)}`,
    'no boundary': () => `${head('none', 'Content-Type: multipart/alternative')}\r\n\r\n${'--\r\n'.repeat(1_000_000)}`,
    'boundaries that look alike': () => `${head('alike', `Content-Type: multipart/mixed; boundary=${'-'.repeat(70)}`)}\r\n\r\n${
      `${'-'.repeat(71)}\r\n`.repeat(150_000)}`,
    'base64 garbage': () => `${head('base64', 'Content-Type: image/png', 'Content-Transfer-Encoding: base64')}\r\n\r\n${'=*=%\u0001A'.repeat(2 * MB)}\r\n`,
    'quoted garbage': () => `${head('quoted', 'Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable')}\r\n\r\n${'='.repeat(6 * MB)}\r\n`,
    'shifting charsets': () => `${head('shifts', 'Content-Type: text/plain; charset=iso-2022-jp')}\r\n\r\n${'\u001b$B!!\u001b(B'.repeat(MB)}\r\n`,
    'UTF-7': () => `${head('utf-7', 'Content-Type: text/html; charset=utf-7')}\r\n\r\n${'+ADw-script+AD4-'.repeat(300_000)}\r\n`,
    'digits without end': () => `${head('digits', 'Content-Type: text/plain')}\r\n\r\ncode ${'1'.repeat(4 * MB)} ${'code 12 34 56 78 '.repeat(100_000)}\r\n`,
    'combining marks': () => `${head('marks', 'Content-Type: text/plain; charset=utf-8')}\r\n\r\na${'\u0344'.repeat(100_000)}${'\u0f73'.repeat(100_000)} code 482913\r\n`,
    'NULs and controls': () => `${head('nul')}\r\n\r\n${'\u0000\u0001\u0008\u001b[2J'.repeat(500_000)}\r\n`,
  }
  return Object.entries(mails).map(([name, make]) => ({ name, source: make().replaceAll(/^\./gm, '..') }))
}
