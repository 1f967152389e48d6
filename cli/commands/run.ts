import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { withExamples } from '../client/options.ts'
import { openMailKeeper } from '../run/keep-mails.ts'
import { launchServer } from '../run/launch-server.ts'
import { serverOptions } from '../run/options.ts'
import type { ServerOptions } from '../run/options.ts'
import { openCommandRunner } from '../run/run-command.ts'
import { say } from '../output.ts'

interface Options extends ServerOptions {
  keep?: string
}

export function runCommand(): Command {
  return serverOptions(withExamples(new Command('run'), [
    'mayfly run -- npm test',
    'mayfly run --keep failed-mails -- npx playwright test',
  ]))
    .argument('<command...>', 'the command, after --; it gets MAYFLY_BASE_URL, MAYFLY_API_KEY, SMTP_URL, SMTP_HOST and SMTP_PORT')
    .option('--keep <folder>', 'where the mails go when the command fails: each as .eml, and emails.json')
    .action(run)
}

async function run(words: string[], { keep, log, ...options }: Options) {
  const command = openCommandRunner()
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-run-'))
  try {
    const server = await launchServer({
      ...options, database: join(folder, 'mayfly.db'), log: log ?? join(folder, 'server.log'), temporary: folder, signal: command.signal,
    })
    let isStopped = false
    void server.ended.then(() => { if (!isStopped) say(`mayfly: the server has ended before the command:\n${server.lastLines()}`) })
    try {
      const keeper = keep === undefined ? undefined : await openMailKeeper(server.variables, join(folder, 'mails'))
      command.signal.throwIfAborted()
      process.exitCode = await command.run(words, server.variables)
      if (process.exitCode !== 0) await keeper?.keep(keep!)
      keeper?.close()
    } finally {
      isStopped = true
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
