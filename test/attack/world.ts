import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serveCommand, startServer } from '../crash/server.ts'
import { makeTemplate } from '../support/store/template.ts'
import type { Template } from '../support/store/template.ts'
import { isOver } from './children.ts'
import type { Prepare, Target } from './scenario.ts'

export interface World extends AsyncDisposable {
  target: Target
  /** The path of the server's database. */
  file: string
  hasEnded(): boolean
  /** The memory of the server now, and its maximum so far. */
  rssMegabytes(): { now: number, max: number }
  /** Size of the database and its write-ahead log. */
  fileMegabytes(): number
}

/** Databases that are made once per run, by the function that fills them. */
export type Templates = Map<Prepare | undefined, Promise<Template>>

/** Starts a new server on free ports, whose database has two accounts. @param folder that is created for it */
export async function openWorld(
  folder: string, variables: Record<string, string>, { templates = new Map(), prepare }: { templates?: Templates, prepare?: Prepare } = {},
): Promise<World> {
  const templateFile = join(dirname(folder), `template-${templates.size}.db`)
  const making = templates.get(prepare) ?? makeTemplate(templateFile, prepare)
  templates.set(prepare, making)
  const template = await making
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'mayfly.db') // where startServer has it
  copyFileSync(template.file, file)
  const { child, exited, url, smtpPort } = await startServer(folder, variables, serveCommand)
  const kill = () => { if (!isOver(child)) child.kill('SIGKILL') } // its database goes with the folder
  process.prependOnceListener('exit', kill)
  const memory = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  const bytes = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const { busy, other, facts } = template
  return {
    target: { url, httpPort: Number(new URL(url).port), smtpPort, busy, other, facts },
    file,
    hasEnded: () => isOver(child),
    rssMegabytes: () => isOver(child) ? { now: NaN, max: NaN } : { now: memory('VmRSS'), max: memory('VmHWM') },
    fileMegabytes: () => (bytes(file) + bytes(`${file}-wal`)) / 1e6,
    async [Symbol.asyncDispose]() {
      kill()
      process.off('exit', kill)
      await exited
    },
  }
}
