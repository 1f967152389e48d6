import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { maskSecrets } from './mask-secrets.ts'

/** The log of a server: a JSON document a line, on stderr unless told otherwise, without secrets. */
export const openLog = (level: string, destination: DestinationStream = pino.destination({ dest: 2, sync: false })): Logger =>
  pino({ level, hooks: { streamWrite: maskSecrets } }, destination)
