import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { CliError } from '../cli-error.ts'
import { onInterrupt } from '../client/interrupt.ts'
import { withExamples, withJson } from '../client/options.ts'
import { claimFolder, endServer, filesOf, findRunning, removeFiles, startEnd, writeState } from '../run/background.ts'
import type { Running } from '../run/background.ts'
import { openMailKeeper } from '../run/keep-mails.ts'
import { launchServer } from '../run/launch-server.ts'
import { serverOptions } from '../run/options.ts'
import type { ServerOptions } from '../run/options.ts'
import { join, line, print, say } from '../output.ts'

interface StartOptions extends ServerOptions {
  folder: string
  writeEnv?: string
  json?: boolean
}

interface StopOptions {
  folder: string
  keep?: string
  json?: boolean
}

const folderOption = () => new Option('--folder <folder>', 'the folder of the server, which "mayfly stop" removes').default('.mayfly')

export function startCommand(): Command {
  return withJson(serverOptions(withExamples(new Command('start'), [
    'eval "$(mayfly start)"                     and "mayfly stop" at the end',
    'mayfly start --write-env "$GITHUB_ENV"     for the later steps of a job',
  ])))
    .addOption(folderOption())
    .option('--write-env <file>', 'adds the variables to a file of lines NAME=value')
    .option('--detach', 'as without it: the server always runs in the background')
    .action(start)
}

export function stopCommand(): Command {
  return withJson(withExamples(new Command('stop'), ['mayfly stop', 'mayfly stop --keep mails']))
    .addOption(folderOption())
    .option('--keep <folder>', 'where the mails go before: each as .eml, and emails.json')
    .action(stop)
}

async function start({ folder, writeEnv, log, json, ...options }: StartOptions) {
  const signal = onInterrupt()
  await claimFolder(folder, options.wait)
  const files = filesOf(resolve(folder))
  try {
    const { pid, variables, stop } = await launchServer({
      ...options, database: files.database, log: log ?? files.log, signal,
      onSpawn: (pid) => writeState(folder, { pid, startsUntil: startEnd(options.wait) }),
    })
    try {
      writeState(folder, { pid, variables })
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
      if (writeEnv !== undefined) appendFileSync(writeEnv, `${lines.join('\n')}\n`)
      print({ json }, { pid, variables }, () => join(lines.map((each) => line`export ${each}`), '\n'))
    } catch (error) {
      await stop()
      throw new CliError((error as Error).message)
    }
  } catch (error) {
    await removeFiles(folder)
    throw error
  }
}

async function stop({ folder, keep, json }: StopOptions) {
  const running = await findRunning(folder)
  if (running) {
    if (keep !== undefined) await keepAll(running, folder, keep)
    await endServer(folder)
  }
  await removeFiles(folder)
  if (json) print({ json }, { stopped: running?.pid ?? null }, String)
  else say(running ? line`mayfly: the server in ${folder} has ended` : line`mayfly: no server runs in ${folder}`)
}

async function keepAll({ variables }: Running, folder: string, keep: string) {
  if (!variables) throw new CliError(`the server in ${folder} has not told its key, so its mails cannot be kept. "mayfly stop" without --keep ends it.`)
  const keeper = await openMailKeeper(variables, filesOf(folder).mails)
  await keeper.keep(keep)
  keeper.close()
}
