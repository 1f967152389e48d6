import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { maskSecrets } from './mask-secrets.ts'

/** Opens the log of a server: JSON lines with secrets masked, by default on stderr. */
export const openLog = (level: string, destination: DestinationStream = pino.destination({ dest: 2, sync: false })): Logger =>
  pino({ level, hooks: { streamWrite: maskSecrets } }, destination)
