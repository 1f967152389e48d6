import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Scope } from './contract/types.gen.ts'
import type { MimeParser } from './mime/parse.ts'
import type { Database } from './store/database.ts'
import type { Owner } from './store/outbox.ts'
import type { Plan } from './store/schema.ts'

/** What every handler, SMTP callback and task is given. */
export interface App {
  config: Config
  log: Logger
  clock: Clock
  db: Database
  mime: MimeParser
  /** Free bytes where the database lies. */
  freeBytes(): Promise<number>
}

/** Whose key a request carries. */
export interface Caller extends Owner {
  apiKeyId: string
  plan: Plan
  scopes: Scope[]
}
