import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../../server/clock.ts'
import { createAccount } from '../../server/domain/accounts.ts'
import { createApiKey } from '../../server/domain/api-keys.ts'
import { insertAddress } from '../../server/store/addresses/addresses.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { startServer } from '../crash/server.ts'
import { isOver } from './children.ts'
import type { Account, Prepare, Target } from './scenario.ts'

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

type Template = Pick<Target, 'busy' | 'other' | 'facts'> & { file: string }

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
  const { child, exited, url, smtpPort } = await startServer(folder, variables)
  const kill = () => { if (!isOver(child)) child.kill('SIGKILL') } // the server's database is in the folder
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

async function makeTemplate(file: string, prepare: Prepare | undefined): Promise<Template> {
  const db = await openDatabase(file, systemClock)
  try {
    const [busy, other] = [await newAccount(db, 'busy'), await newAccount(db, 'other')]
    return { file, busy, other, facts: await prepare?.(db, file, busy) ?? {} }
  } finally {
    await db.close()
  }
}

const addressLifetimeMs = 24 * 3600 * 1000

async function newAccount(db: Database, name: string): Promise<Account> {
  const { id } = await createAccount(db, `${name}@mail.example`, 'business')
  const [live, test] = await Promise.all([false, true].map((isTest) => createApiKey(db, { account: id, name, scopes: [], isTest })))
  const made = await inTransaction(db, (tx) => insertAddress(tx, {
    owner: { accountId: id, mode: 'live' },
    address: `${name}@mail.localhost`,
    alias: name,
    expiresAt: tx.now + addressLifetimeMs,
    domainId: null,
  }))
  return { id, key: live!.key, testKey: test!.key, addressId: made!.id, address: `${name}@mail.localhost` }
}
