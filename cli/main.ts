import { Command, CommanderError, Help } from 'commander'
import type { Option } from 'commander'
import { CliError, Interrupted } from './cli-error.ts'
import { errorInOptions } from './client/name-options.ts'
import { print, say } from './output.ts'
import { readVersion } from '../server/version.ts'

interface Entry {
  description: string
  /** Loads only the module of the called command: the commands of the server import the whole server. */
  load(): Promise<Command>
}

const client: Record<string, Entry> = {
  login: {
    description: 'Stores the URL of a server, and an API key.',
    load: async () => (await import('./commands/login.ts')).loginCommand(),
  },
  logout: {
    description: 'Removes the stored URL and key.',
    load: async () => (await import('./commands/login.ts')).logoutCommand(),
  },
  address: {
    description: 'Temporary addresses: create, list, delete.',
    load: async () => (await import('./commands/address.ts')).addressCommands(),
  },
  inbox: {
    description: 'The mail of an address: wait for a code, watch, list.',
    load: async () => (await import('./commands/inbox.ts')).inboxCommands(),
  },
  email: {
    description: 'Emails: list, show, raw, save-attachments, send, update, delete.',
    load: async () => (await import('./commands/email.ts')).emailCommands(),
  },
  forwarding: {
    description: 'Forwarding to personal addresses: add, list, verify, delete; and the rule of an address: set, show, off.',
    load: async () => (await import('./commands/forwarding.ts')).forwardingCommands(),
  },
  domain: {
    description: 'Custom domains: add, list, verify, delete.',
    load: async () => (await import('./commands/domain.ts')).domainCommands(),
  },
  webhook: {
    description: 'Webhooks: listen on this machine, add, list, show, update, enable, disable, test, deliveries, redeliver, rotate-secret, delete.',
    load: async () => (await import('./commands/webhook.ts')).webhookCommands(),
  },
  'api-key': {
    description: 'API keys that can do at most what yours can: create, list, revoke.',
    load: async () => (await import('./commands/api-key.ts')).apiKeyCommands(),
  },
  analytics: {
    description: 'Counters of the account, or of each day.',
    load: async () => (await import('./commands/account-reports.ts')).analyticsCommand(),
  },
  audit: {
    description: 'The calls of the API that were made with the keys of the account, newest first.',
    load: async () => (await import('./commands/account-reports.ts')).auditCommand(),
  },
  api: {
    description: 'Sends a request of your own, in either dialect of the API, and prints the JSON of the answer.',
    load: async () => (await import('./commands/api.ts')).apiCommand(),
  },
  mcp: {
    description: 'Tools for an agent, over stdin and stdout, by the Model Context Protocol.',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  },
  completion: {
    description: 'Prints a script that completes these commands in a shell.',
    load: async () => (await import('./commands/completion.ts')).completionCommand(() => buildProgram('all')),
  },
}

/** They start a server for a command or a CI job, which keep their umask. */
const forTests: Record<string, Entry> = {
  run: {
    description: 'Runs a command, such as the tests of an app, with a new server, and ends with its exit code.',
    load: async () => (await import('./commands/run.ts')).runCommand(),
  },
  start: {
    description: 'Starts a new server in the background, and prints the variables for programs that use it.',
    load: async () => (await import('./commands/start.ts')).startCommand(),
  },
  stop: {
    description: 'Ends the server of "mayfly start", and removes its data.',
    load: async () => (await import('./commands/start.ts')).stopCommand(),
  },
}

const operator: Record<string, Entry> = {
  serve: {
    description: 'Runs the service: HTTP API, SMTP listener and workers. The variables MAYFLY_… configure it.',
    async load() {
      return (await import('./commands/serve.ts')).serveCommand()
    },
  },
  mock: {
    description: 'Serves the examples of the contract: same paths, same checks and errors, no database.',
    load: async () => (await import('./commands/mock.ts')).mockCommand(),
  },
  account: {
    description: 'Accounts of this server: create, plan, sign-in, list, delete.',
    load: async () => (await import('./commands/account.ts')).accountCommands(),
  },
  key: {
    description: 'API keys of this server: create, list, revoke.',
    load: async () => (await import('./commands/key.ts')).keyCommands(),
  },
  outbox: {
    description: 'Outgoing mail, captured, waiting, sent or failed: list, show.',
    load: async () => (await import('./commands/outbox.ts')).outboxCommands(),
  },
  nodes: {
    description: 'The processes that serve one PostgreSQL database, each with its last beat and the jobs that it has claimed.',
    load: async () => (await import('./commands/nodes.ts')).nodesCommand(),
  },
  health: {
    description: 'Whether a server is ready, by its exit code, for containers and load balancers.',
    async load() {
      return (await import('./commands/health.ts')).healthCommand()
    },
  },
  backup: {
    description: 'Copies the database to a file, also while the server runs, and checks the copy.',
    load: async () => (await import('./commands/backup.ts')).backupCommand(),
  },
  restore: {
    description: 'Puts a copy of a back-up in the place of the database. The server has to be stopped.',
    load: async () => (await import('./commands/restore.ts')).restoreCommand(),
  },
  move: {
    description: 'Copies a database in a file, whose server has to be stopped, to PostgreSQL; or moves one account between PostgreSQL databases.',
    load: async () => (await import('./commands/move.ts')).moveCommand(),
  },
  migrate: {
    description: 'Brings the database to the schema of this version, as the start of the server does. --dry-run tries it on a copy.',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  },
  tail: {
    description: 'Follows what the server does with mail and webhooks. Runs where the server runs.',
    load: async () => (await import('./commands/tail.ts')).tailCommand(),
  },
  doctor: {
    description: 'Checks variables, database, ports, certificate and DNS records. It changes nothing. The exit code is 1 when there is a problem.',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  },
}

/** An example for the first minute. */
const startHere = `Start here:
  mayfly serve                         shows an API key, and a link
  export MAYFLY_API_KEY=svc_live_…     in another terminal
  mayfly address create --alias first  then send a mail to this address
  mayfly inbox wait first              prints the code in the mail`

/** Umask of the commands that open the database: only the owner can read and write the files that they make. */
const ownerOnly = 0o077

/** The command that runs. */
let called: Command | undefined

// EPIPE: the reader, such as head(1), has closed its side
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && stream === process.stdout) say(`mayfly: ${error.message}`)
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}
void run()

async function run() {
  try {
    const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
    const name = words[0] === 'help' ? words[1] : words[0]
    if (name !== undefined && Object.hasOwn(operator, name)) process.umask(ownerOnly)
    const program = await buildProgram(name)
    await program.parseAsync()
  } catch (error) {
    if (error instanceof Interrupted) process.exit(error.exitCode) // even with requests under way
    process.exitCode = explain(error)
  }
}

/** @param wanted the called command; of the others only the names are known */
async function buildProgram(wanted: string | undefined): Promise<Command> {
  const program = new Command('mayfly')
    .description(`A temporary-email service that a team can run itself.

${startHere}`)
    .configureHelp({ visibleOptions: ownOptionsFirst })
    // commander's texts repeat words of the command line, and end with a line feed
    .configureOutput({ writeOut: (text) => print({}, text.replace(/\n$/, ''), String), writeErr: (text) => say(text.replace(/\n$/, '')) })
    .showHelpAfterError('(--help lists the options and arguments)')
    .option('--version', 'output the version number')
    .on('option:version', () => {
      print({}, readVersion(), String)
      process.exit()
    })
    .exitOverride()
  program.hook('preAction', (_program, command) => { called = command })
  for (const [heading, entries] of Object.entries({ 'Addresses and mail:': client, 'In tests:': forTests, 'The server:': operator })) {
    for (const [name, { description, load }] of Object.entries(entries)) {
      const bare = new Command(name)
      // with 'all', a command whose packages are not installed is shown by its name alone
      const command = wanted === name ? await load() : wanted === 'all' ? await load().catch(() => bare) : bare
      program.addCommand(inherit(command.description(description).helpGroup(heading), program))
    }
  }
  return program
}

/** Adds the global options to the help of every command. */
function ownOptionsFirst(this: Help, command: Command): Option[] {
  const options = Help.prototype.visibleOptions.call(this, command)
  const isShared = ({ long }: Option) => ['--url', '--json', '--format', '--help'].includes(long ?? '')
  return [...options.filter((option) => !isShared(option)), ...options.filter(isShared)]
}

/** Copies the program's error handling to all of its commands. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  for (const child of command.commands) inherit(child, command)
  return command
}

/** Prints the error to stderr. @returns the exit code */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode // commander has printed it
  const { name, message, stack, cause } = error as Error & { cause?: { details?: Parameters<typeof errorInOptions>[2] } }
  const isExpected = error instanceof CliError || ['AppError', 'ConfigError'].includes(name)
  const shown = called && cause?.details ? errorInOptions(called, message, cause.details) : message
  say(`mayfly: ${isExpected || !process.env['MAYFLY_DEBUG'] ? shown : stack}`)
  return error instanceof CliError ? error.exitCode : 1
}
