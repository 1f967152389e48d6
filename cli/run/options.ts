import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { parseDuration } from '../client/options.ts'

/** The options of a server that a command starts. */
export interface ServerOptions {
  httpPort: number
  smtpPort: number
  wait: number
  log?: string
}

const defaultWaitSeconds = 30

export const serverOptions = (command: Command): Command => command
  .option('--http-port <port>', 'the port of the API; 0 takes a free one', parsePort, 0)
  .option('--smtp-port <port>', 'the port for mail; 0 takes a free one', parsePort, 0)
  .option('--wait <time>', 'how long the server may take to be ready, such as 1m', parseDuration, defaultWaitSeconds)
  .option('--log <file>', 'a file for the lines of the server')

export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
}
