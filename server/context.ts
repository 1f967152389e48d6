import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Scope } from './contract/types.gen.ts'
import type { AcceptedMessage } from './envelope.ts'
import type { MimeParser } from './mime/parse.ts'
import type { Database } from './store/database.ts'
import type { Owner } from './store/outbox.ts'
import type { Plan } from './store/schema.ts'

/** Parses and stores short mails in a thread of its own. */
export interface Intake {
  /**
   * @returns whether the mail is on disk and shown; false when the thread could not say
   * @throws AppError `STORAGE_FULL`
   */
  store(message: AcceptedMessage, bytes: Uint8Array): Promise<boolean>
}

/** What every handler, SMTP callback and task is given. */
export interface App {
  config: Config
  log: Logger
  clock: Clock
  db: Database
  mime: MimeParser
  intake: Intake
  /** Free bytes where the database lies. */
  freeBytes(): Promise<number>
}

/** Whose key a request carries. */
export interface Caller extends Owner {
  apiKeyId: string
  plan: Plan
  scopes: Scope[]
}
