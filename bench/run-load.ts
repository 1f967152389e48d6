import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadOrder, LoadReport } from './smtp-load.ts'

const run = promisify(execFile)

/** Sends mails from a new process. @param signal ends it early @throws Error when a mail is refused */
export async function runLoad(order: LoadOrder, signal?: AbortSignal): Promise<LoadReport> {
  const { stdout } = await run(process.execPath, [fileURLToPath(new URL('smtp-load.ts', import.meta.url)), JSON.stringify(order)], { signal })
  return JSON.parse(stdout) as LoadReport
}
