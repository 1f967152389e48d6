import { Command, CommanderError } from 'commander'
import { ConfigError } from '../server/config.ts'
import { AppError } from '../server/errors.ts'
import { accountCommands } from './commands/account.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCommands } from './commands/key.ts'
import { outboxCommands } from './commands/outbox.ts'
import { serveCommand } from './commands/serve.ts'

const program = new Command('mayfly')
  .description('A temporary-email service that a team can run itself.')
  .configureHelp({ sortSubcommands: false })
  .showHelpAfterError('(--help shows what it takes)')
  .exitOverride()

program.addCommand(serveCommand())
program.addCommand(accountCommands())
program.addCommand(keyCommands())
program.addCommand(outboxCommands())
program.addCommand(doctorCommand())

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}

/** Says what went wrong on stderr; @returns the exit code */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode // commander has said it already
  const isExpected = error instanceof AppError || error instanceof ConfigError
  const { message, stack } = error as Error
  process.stderr.write(`mayfly: ${isExpected || !process.env['MAYFLY_DEBUG'] ? message : stack}\n`)
  return 1
}
