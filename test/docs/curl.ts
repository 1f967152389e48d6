import { parseArgs } from 'node:util'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'

/** Stands in for curl on a machine that has none: the options that the pages use, for HTTP and for sending a mail. */
const { values, positionals: [url] } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'no-buffer': { type: 'boolean', short: 'N' },
    'write-out': { type: 'string', short: 'w' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    request: { type: 'string', short: 'X' },
    'max-time': { type: 'string' },
    'mail-from': { type: 'string' },
    'mail-rcpt': { type: 'string' },
    'upload-file': { type: 'string', short: 'T' },
  },
})

if (url!.startsWith('smtp:')) await sendMail(new URL(url!))
else await request(url!)

async function sendMail({ hostname, port }: URL) {
  const envelope = { from: values['mail-from']!, to: values['mail-rcpt']! }
  await createTransport({ host: hostname, port: Number(port) }).sendMail({ envelope, raw: await text(process.stdin) })
}

async function request(target: string) {
  const signal = values['max-time'] ? AbortSignal.timeout(Number(values['max-time']) * 1000) : null
  const headers = values.header.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  const method = values.request ?? (values.data === undefined ? 'GET' : 'POST')
  try {
    const answer = await fetch(target, { method, headers, body: values.data ?? null, signal })
    for await (const chunk of answer.body ?? []) process.stdout.write(chunk)
  } catch {
    process.exitCode = signal?.aborted ? 28 : 52 // as curl: timeout, and an empty answer
  }
  process.stdout.write(values['write-out']?.replace('\\n', '\n') ?? '')
}
