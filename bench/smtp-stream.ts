import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { MailParser } from '../server/smtp/mail-parser.ts'
import { measureInTurn, median, processorMs, rounds } from './rounds.ts'

/**
 * Measures the time that the bytes of a mail take in the SMTP stream, by the reader of smtp-server
 * and by server/smtp/mail-parser.ts, which replaces it.
 */
const chunkBytes = 65_536
const mails: Record<string, string> = {
  '1 MB of text': `${'x'.repeat(76)}\r\n`.repeat(13_000),
  '1 MB of stuffed dots': '..\r\n'.repeat(250_000),
}

const ways = { 'mail-parser.ts': () => new MailParser(), 'smtp-server': () => new SMTPStream() }

console.log(`milliseconds of processor time a mail, median of ${rounds} rounds`)
for (const [name, text] of Object.entries(mails)) {
  const kept: Record<string, number> = {}
  const times = await measureInTurn(Object.entries(ways).map(([way, open]) => async () => {
    const before = process.cpuUsage()
    kept[way] = await read(open(), Buffer.from(`${text}.\r\n`, 'latin1'))
    return processorMs(before)
  }))
  for (const [index, way] of Object.keys(ways).entries()) {
    console.log(`  ${name.padEnd(22)} ${way.padEnd(16)} ${median(times[index]!).toFixed(0).padStart(6)}   ${kept[way]} bytes kept`)
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
