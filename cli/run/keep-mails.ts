import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Email, Mayfly } from '@mayfly-mail/sdk'
import { line, say, toJson } from '../output.ts'
import type { Variables } from './launch-server.ts'

export interface MailKeeper {
  /** Writes the mails to a folder: each source as `ID.eml`, and `emails.json`, oldest first. A failure is only said. */
  keep(folder: string): Promise<void>
  close(): void
}

/** Reads each mail as it comes: a test that fails deletes its addresses, and their mail. @param drafts a folder for sources */
export async function openMailKeeper({ MAYFLY_BASE_URL: baseUrl, MAYFLY_API_KEY: apiKey }: Variables, drafts: string): Promise<MailKeeper> {
  const { Mayfly } = await import('@mayfly-mail/sdk') // imported late: help and wrong options need no SDK
  const mayfly = new Mayfly({ baseUrl, apiKey })
  const emails = new Map<string, Email>()
  const closing = new AbortController()
  await mkdir(drafts, { recursive: true })
  void readArriving().catch(() => {}) // the server has ended, which is said elsewhere
  return {
    async keep(folder) {
      try {
        await readAll()
        await cp(drafts, folder, { recursive: true })
        const sorted = [...emails.values()].sort((a, b) => a.id < b.id ? -1 : 1)
        await writeFile(join(folder, 'emails.json'), `${toJson(sorted, 2)}\n`)
        say(line`mayfly: ${emails.size} ${emails.size === 1 ? 'mail is' : 'mails are'} in ${folder}`)
      } catch (error) {
        say(line`mayfly: the mails cannot be kept: ${(error as Error).message}`)
      }
    },
    close: () => closing.abort(),
  }

  async function readArriving() {
    for await (const { data } of mayfly.events.subscribe({ events: ['email.received'], signal: closing.signal })) {
      if ('emailId' in data) await read(mayfly, data.emailId).catch(() => {}) // it is deleted already
    }
  }

  async function readAll() {
    for (const isDeleted of [false, true]) {
      for await (const { id } of mayfly.emails.list({ isDeleted, limit: 100 })) await read(mayfly, id)
    }
  }

  async function read({ emails: { get, raw } }: Mayfly, id: string) {
    if (emails.has(id)) return
    const email = await get(id)
    const source = await raw(id)
    await writeFile(join(drafts, `${id}.eml`), Buffer.from(await source.arrayBuffer()))
    emails.set(id, email)
  }
}
