import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toJson } from '../output.ts'
import type { Variables } from './launch-server.ts'

/**
 * Writes all mail of a server to a folder, deleted mail too: each source as `ID.eml`, and `emails.json`, oldest first.
 * @returns the number of mails
 */
export async function keepMails(folder: string, { MAYFLY_BASE_URL: baseUrl, MAYFLY_API_KEY: apiKey }: Variables): Promise<number> {
  const { Mayfly } = await import('@mayfly-mail/sdk') // imported late: help and wrong options need no SDK
  const mayfly = new Mayfly({ baseUrl, apiKey })
  const emails = []
  await mkdir(folder, { recursive: true })
  for (const isDeleted of [false, true]) {
    for await (const { id } of mayfly.emails.list({ isDeleted, limit: 100 })) {
      emails.push(await mayfly.emails.get(id))
      const source = await mayfly.emails.raw(id)
      await writeFile(join(folder, `${id}.eml`), Buffer.from(await source.arrayBuffer()))
    }
  }
  emails.sort((a, b) => a.id < b.id ? -1 : 1)
  await writeFile(join(folder, 'emails.json'), `${toJson(emails, 2)}\n`)
  return emails.length
}
