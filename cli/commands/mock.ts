import { Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../server/errors.ts'
import { CliError } from '../cli-error.ts'
import { withExamples } from '../client/options.ts'
import { openMock } from '../mock/open-mock.ts'
import { print, say } from '../output.ts'

interface Options {
  host: string
  port: number
  prefer?: string
  verbose?: boolean
  json?: boolean
}

export function mockCommand(): Command {
  return withExamples(new Command('mock'), [
    'mayfly mock --verbose',
    'mayfly mock --prefer example=empty                   an account without any data',
  ])
    .option('--host <host>', 'host to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 for any free port', readPort, 4010)
    .option('--prefer <preference>', 'the default for requests without a Prefer header, such as example=empty', checkPreference)
    .option('--verbose', 'one line on stderr per request')
    .option('--json', 'output on stdout as one JSON document')
    .action(mock)
}

async function mock({ host, port, prefer, verbose, json }: Options) {
  const log = verbose ? say : undefined
  const opened = await openMock({ host, port, prefer, log }).catch(explain(host, port))
  const stop = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  print({ json }, { listening: { http: opened.url } }, () => `listening http=${opened.url} (a mock; any API key will do)`)
  await stop
  await opened.close()
}

const explain = (host: string, port: number) => (error: NodeJS.ErrnoException): never => {
  if (error instanceof AppError && error.details) throw new CliError(`--prefer: ${error.details[0]!.message}.`)
  if (error.code === 'EADDRINUSE') throw new CliError(`port ${port} of ${host} is in use already. --port 0 takes a free one.`)
  throw error
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
}

/** A header `Prefer` may have unknown preferences, this option may not: `--prefer empty` would select nothing. */
function checkPreference(text: string): string {
  if (/(^|[,;])\s*(code|example)\s*=/.test(text)) return text
  throw new InvalidArgumentError('It takes example=NAME or code=STATUS, such as example=empty.')
}
