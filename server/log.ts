import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { maskSecrets } from './api-key-format.ts'

/** A line of the log. Those of requests have the message `request`, those of mail and webhooks have a kind. */
export interface LogLine { level: number, msg?: string, kind?: string }

/**
 * Opens the log of a server on stderr: readable lines on a terminal, JSON lines elsewhere.
 * @param isShown leaves lines out on a terminal
 */
export async function openServerLog(level: string, isShown: (line: LogLine) => boolean = () => true): Promise<Logger> {
  if (!process.stderr.isTTY) return openLog(level, pino.destination({ dest: 2, sync: false }))
  const { lineFormat } = await import('./log-format.ts') // loaded on a terminal only
  const format = lineFormat(process.stderr.hasColors())
  return openLog(level, {
    write(json) {
      if (isShown(JSON.parse(json) as LogLine)) process.stderr.write(format(json))
    },
  })
}

/** Opens a log of JSON lines, with secrets masked. */
export const openLog = (level: string, destination: DestinationStream): Logger =>
  pino({ level, hooks: { streamWrite: (line) => maskSecrets(line) } }, destination)
