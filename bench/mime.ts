import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import PostalMime from 'postal-mime'
import { readContent } from '../server/mime/parse/read-content.ts'
import { readMessage } from '../server/mime/read-message.ts'
import { corpusMails } from '../test/mime/corpus/mails/index.ts'
import { countRight, fields, parseByMailparser } from '../test/mime/readings.ts'
import { hostileMails } from '../test/support/hostile-mails.ts'
import { mails } from './mails.ts'
import { describeRatios, measureInTurn, median, rounds } from './rounds.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Compares server/mime with mailparser and postal-mime: correctly read mails of the corpus, and the time for several mails. */
const counts = await countRight()
console.log(`right of ${corpusMails.length} mails of test/mime/corpus`)
console.log(`  ${''.padEnd(26)}   ours  mailparser`)
for (const field of fields) {
  const { ours, mailparser } = counts[field]
  console.log(`  ${field.padEnd(26)} ${String(ours).padStart(6)} ${String(mailparser).padStart(11)}`)
}

const readers = { 'ours': readContent, 'with codes and links': readMessage, 'mailparser': parseByMailparser, 'postal-mime': PostalMime.parse }
console.log(`\nmilliseconds of processor time a mail, ${rounds} rounds; ratio: how many times as long mailparser takes as ours`)
console.log(`  ${''.padEnd(26)} ${Object.keys(readers).map((name) => name.padStart(name.length + 2)).join('')}  ratio`)
const benchmarked = [...mails.map(({ name, source }) => ({ name, raw: source.subarray(0, -'.\r\n'.length) })), ...realMails()]
for (const { name, raw } of benchmarked) {
  const count = Math.ceil(20_000_000 / (raw.length + 20_000))
  const times = await measureInTurn(Object.values(readers).map((read) => () => time(count, () => read(raw))))
  const columns = Object.keys(readers).map((reader, i) => median(times[i]!).toFixed(3).padStart(reader.length + 2)).join('')
  console.log(`  ${name.padEnd(26)} ${columns}  ${describeRatios(times[2]!, times[0]!, 1)}`)
}

console.log('\nhostile mails of test/support/hostile-mails.ts, the slowest five of each')
const hostile = hostileMails().map(({ name, source }) => ({ name, raw: Buffer.from(source) }))
for (const [parser, read] of [['ours', readContent], ['mailparser', parseByMailparser]] as const) {
  const times: { name: string, ms: number }[] = []
  const rejected: string[] = []
  for (const { name, raw } of hostile) {
    const ms = await time(1, async () => {
      try {
        await read(raw)
      } catch {
        rejected.push(name)
      }
    })
    times.push({ name, ms })
  }
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, 5).map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`)
  console.log(`  ${parser.padEnd(12)} rejected: ${rejected.join(', ') || 'none'}; ${slowest.join(', ')}`)
}

/** Milliseconds of processor time of this thread for one call, without the time to collect the garbage of others. */
async function time(count: number, work: () => unknown): Promise<number> {
  collectGarbage()
  const start = process.threadCpuUsage()
  for (let i = 0; i < count; i++) await work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / count
}

/** Mails of shops, in quoted-printable and without a code: a newsletter of 35 kB, with 220 links to one page, and an invoice of 300 kB. */
function realMails(): { name: string, raw: Buffer }[] {
  const row = '<table><tr><td style="color:#333">Offer of the day — 20% off <a href="https://shop.test/x?id=1">here</a></td></tr></table>\r\n'
  const bodies = (boundary: string) => [
    `Content-Type: multipart/alternative; boundary=${boundary}`, '',
    `--${boundary}`, 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '',
    quoted('Offer of the day — 20% off\r\n'.repeat(80)),
    `--${boundary}`, 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', '',
    quoted(`<html><body>${row.repeat(220)}</body></html>`), `--${boundary}--`,
  ]
  const head = (subject: string) => [
    'Received: from mx.sender.test (192.0.2.7) by mail.example.test with ESMTPS id abc; Fri, 20 Nov 2026 10:00:00 +0000',
    'From: =?utf-8?B?R3LDtsOfZSBTaG9w?= <shop@sender.test>', 'To: <load@example.test>', `Subject: ${subject}`,
    'Message-ID: <bench@sender.test>', 'Date: Fri, 20 Nov 2026 10:00:00 +0000', 'MIME-Version: 1.0',
  ]
  const file = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256)).toString('base64').match(/.{1,76}/g)!
  const invoice = [
    ...head('Invoice'), 'Content-Type: multipart/mixed; boundary=mixed', '', '--mixed', ...bodies('inner'),
    '--mixed', 'Content-Type: application/pdf; name="invoice.pdf"', 'Content-Disposition: attachment; filename="invoice.pdf"',
    'Content-Transfer-Encoding: base64', '', ...file, '--mixed--', '',
  ]
  return [
    { name: '35 kB newsletter', raw: Buffer.from([...head('Newsletter'), ...bodies('alternative'), ''].join('\r\n')) },
    { name: '300 kB invoice', raw: Buffer.from(invoice.join('\r\n')) },
  ]
}

/** Encodes a text in quoted-printable. */
function quoted(text: string): string {
  const escape = (char: string) => [...Buffer.from(char)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  return text.replaceAll(/[^\r\n\x20-\x3c\x3e-\x7e]/gu, escape).replaceAll(/(?:[^=\r\n]|=..){72}/g, '$&=\r\n')
}
