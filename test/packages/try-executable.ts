import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTransport } from 'nodemailer'
import { targetOf } from '../../build/executable/target.ts'
import { must, start } from './project.ts'

/** The code in the mail that is sent. */
const code = '482913'

/**
 * Starts a server by a command, sends a mail to an address of it, and waits for the code by that command.
 * @throws Error when another code comes, or none
 */
export async function receiveMail(mayfly: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-try-'))
  const ports = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0' }
  const served = start(mayfly, ['serve'], folder, { ...ports, MAYFLY_DATABASE: join(folder, 'mayfly.db') })
  try {
    const [, key] = await served.line(/shown this once: (svc_live_\w+)/)
    const [, url, host, port] = await served.line(/^listening http=(\S+) smtp=(.+):(\d+)$/)
    const connection = { MAYFLY_API_KEY: key!, MAYFLY_BASE_URL: url! }
    const address = (await must(mayfly, ['address', 'create'], folder, connection)).trim()
    const waiting = must(mayfly, ['inbox', 'wait', address, '--timeout', '30s'], folder, connection)
    await createTransport({ host: host!, port: Number(port), tls: { rejectUnauthorized: false } })
      .sendMail({ from: 'shop@example.org', to: address, subject: 'Welcome', text: `Your code is ${code}.` })
    const found = (await waiting).trim()
    if (found !== code) throw new Error(`the code is ${found}, and not ${code}`)
  } finally {
    await served.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) // Windows releases files a moment after the end
  }
}

/** `npm run node -- test/packages/try-executable.ts`: has the built executable of this machine receive a mail. */
if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const { file } = targetOf()
  await receiveMail(file)
  console.log(`${file} has received a mail`)
}
