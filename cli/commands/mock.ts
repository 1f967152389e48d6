import { Command, InvalidArgumentError } from 'commander'
import type { DialectName } from '../../server/dialects/dialects.ts'
import { AppError } from '../../server/errors.ts'
import { CliError } from '../cli-error.ts'
import { dialectOption, withExamples, withJson } from '../client/options.ts'
import { openMock } from '../mock/open-mock.ts'
import { print, say } from '../output.ts'
import { parsePort } from '../run/options.ts'

interface Options {
  host: string
  port: number
  prefer?: string
  dialect: DialectName
  verbose?: boolean
  json?: boolean
  format?: string
}

export function mockCommand(): Command {
  return withJson(withExamples(new Command('mock'), [
    'mayfly mock --verbose',
    'mayfly mock --prefer example=empty                   an empty account',
    'mayfly mock --dialect classic                        the other form of the API, of /openapi.classic.yaml',
  ]))
    .option('--host <host>', 'the host to listen at', '127.0.0.1')
    .option('--port <port>', 'the port to listen at; 0 takes a free one', parsePort, 4010)
    .option('--prefer <preference>', 'the header Prefer of requests without one, such as example=empty', checkPreference)
    .addOption(dialectOption('the dialect of requests that do not name one').default('primary'))
    .option('--verbose', 'one line on stderr for each request')
    .action(mock)
}

async function mock({ host, port, prefer, dialect, verbose, ...options }: Options) {
  const log = verbose ? say : undefined
  const opened = await openMock({ host, port, prefer, dialect, log }).catch(explain(host, port))
  const stop = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  print(options, { listening: { http: opened.url } }, () => `listening http=${opened.url} (a mock; any API key will do)`)
  await stop
  await opened.close()
}

const explain = (host: string, port: number) => (error: NodeJS.ErrnoException): never => {
  if (error instanceof AppError && error.details) throw new CliError(`--prefer: ${error.details[0]!.message}.`)
  if (error.code === 'EADDRINUSE') throw new CliError(`port ${port} of ${host} is in use already. --port 0 takes a free one.`)
  throw error
}

/** A header `Prefer` may have unknown preferences, this option may not: `--prefer empty` would select nothing. */
function checkPreference(text: string): string {
  if (/(^|[,;])\s*(code|example)\s*=/.test(text)) return text
  throw new InvalidArgumentError('It takes example=NAME or code=STATUS, such as example=empty.')
}
