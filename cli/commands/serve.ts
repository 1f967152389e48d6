import { Command } from 'commander'
import { openApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createFirstKey } from '../../server/domain/accounts.ts'
import { withExamples } from '../client/options.ts'
import { unknownVariables } from '../doctor/variables.ts'
import { print } from '../output.ts'
import { openServiceManager } from '../service-manager.ts'

export function serveCommand(): Command {
  return withExamples(new Command('serve'), [
    'mayfly serve',
    'MAYFLY_HTTP_PORT=3001 MAYFLY_SMTP_PORT=2526 mayfly serve   docs/settings.md lists all variables',
  ])
    .option('--json', 'JSON documents on stdout, one a line')
    .action(serve)
}

async function serve(options: { json?: boolean }) {
  const stop = stopSignal() // first: the kernel gives the process 1 of a container only signals that it handles
  const config = readConfig(process.env)
  const app = await openApp(config)
  for (const name of unknownVariables(process.env)) {
    app.log.warn(`${name} is not a variable of Mayfly and has no effect: check its spelling`)
  }
  const first = await createFirstKey(app)
  if (first) {
    print(options, { account: first.account, key: first.key }, ({ account, key }) =>
      `account ${account} (Business), its API key, shown this once: ${key}`)
  }
  const [http, smtp] = [app.http.url, app.smtp.address]
  print(options, { listening: { http, smtp } }, () => `listening http=${http} smtp=${smtp}`)
  const manager = openServiceManager(process.env, app.log)
  manager.ready(`listening http=${http} smtp=${smtp}`)
  await stop
  manager.stopping()
  app.log.info('shutting down')
  await app.close()
}

/** The time in which a repeated signal counts as the same: a process group and a launcher may each deliver it. */
const sameSignalMs = 1_000

/** Resolves at the first SIGTERM or SIGINT. A signal more than a second after it ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const receive = () => {
      firstAt ??= performance.now()
      if (performance.now() - firstAt > sameSignalMs) process.exit(1)
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, receive)
  })
}
