import type { MessagePort } from 'node:worker_threads'
import type { Config } from '../config/config.ts'
import type { ErrorCode } from '../contract/types.gen.ts'
import type { WritePlace } from '../store/changes/write-turns.ts'

/** Results that a thread reports, by message id, after they are committed or have failed. */
export interface Receipt {
  stored: string[]
  /** Results other than stored mail. */
  results: { id: string, result: unknown }[]
  failed: { id: string, code: ErrorCode | null, isClaimLost: boolean, error: string }[]
  /** Topics that its transactions announced. */
  topics: string[]
  /** Parse times of mails. */
  parseTimesMs: number[]
}

/** A thread's part of the configuration. */
export type ThreadSettings = Pick<Config, 'database' | 'dnsServers' | 'mxHost' | 'signingKey'>

export interface ThreadData extends ThreadSettings {
  writePlace: WritePlace
  /** The memory of `shared-sources`. */
  sharedSources: SharedArrayBuffer
}

/** The message that assigns a server to a thread. All further messages of that server go through the port. */
export interface ThreadStart {
  data: ThreadData
  port: MessagePort
}
