import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { MailParser } from '../../server/smtp/mail-parser.ts'
import { median, processorMs, rounds } from '../rounds.ts'

/**
 * For docs/decisions/0005-other-libraries.md: the time that the bytes of a mail take in the SMTP stream, by the reader of smtp-server
 * and by server/smtp/mail-parser.ts, which replaces it.
 */
const chunkBytes = 65_536
const mails: Record<string, string> = {
  '1 MB of text': `${'x'.repeat(76)}\r\n`.repeat(13_000),
  '1 MB of stuffed dots': '..\r\n'.repeat(250_000),
}

console.log(`milliseconds of processor time a mail, median of ${rounds} rounds`)
for (const [name, text] of Object.entries(mails)) {
  for (const [way, open] of Object.entries({ 'mail-parser.ts': () => new MailParser(), 'smtp-server': () => new SMTPStream() })) {
    const times: number[] = []
    let bytes = 0
    for (let round = 0; round <= rounds; round++) {
      const before = process.cpuUsage()
      bytes = await read(open(), Buffer.from(`${text}.\r\n`, 'latin1'))
      if (round > 0) times.push(processorMs(before))
    }
    console.log(`  ${name.padEnd(22)} ${way.padEnd(16)} ${median(times).toFixed(0).padStart(6)}   ${bytes} bytes kept`)
  }
}

/** @returns the bytes of the mail without its dots and its end */
function read(stream: SMTPStream, mail: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    stream.oncommand = (_command, next) => {
      const source = stream.startDataMode(1e9) as AsyncIterable<Uint8Array>
      count(source).then(resolve, reject)
      next?.()
      for (let start = 0; start < mail.length; start += chunkBytes) stream.write(mail.subarray(start, start + chunkBytes))
    }
    stream.write('DATA\r\n')
  })
}

async function count(source: AsyncIterable<Uint8Array>) {
  let bytes = 0
  for await (const chunk of source) bytes += chunk.length
  return bytes
}
