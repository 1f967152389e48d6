import { existsSync } from 'node:fs'
import { Command, Option } from 'commander'
import { readConfig } from '../../server/config/config.ts'
import type { Config } from '../../server/config/config.ts'
import { databaseLabel, isDatabaseUrl } from '../../server/config/database-url.ts'
import { deleteAccount, findAccountToDelete } from '../../server/domain/account-deletion.ts'
import { changePlan, createAccount } from '../../server/domain/accounts.ts'
import { createSignInLink } from '../../server/domain/sign-in-links.ts'
import { listAccounts } from '../../server/store/accounts/accounts.ts'
import type { Account } from '../../server/store/accounts/accounts.ts'
import { linkLifetimeMinutes } from '../../server/store/accounts/sign-in-links.ts'
import { inspectDatabase } from '../../server/store/inspect.ts'
import type { Plan } from '../../server/store/schema/values.ts'
import { findBaseUrl } from '../../server/tail.ts'
import { CliError } from '../cli-error.ts'
import { operatorCommand, wideOption } from '../client/options.ts'
import { askText } from '../client/prompt.ts'
import { line, print, printRows, say } from '../output.ts'
import { existingDatabase, withDatabase } from '../with-database.ts'

interface Options {
  email: string
  plan: Plan
  json?: boolean
}

interface DeleteOptions {
  yes?: boolean
  json?: boolean
}

const planOption = () => new Option('--plan <plan>', 'the plan of the account').choices(['free', 'pro', 'business'])

export function accountCommands(): Command {
  const account = new Command('account')

  operatorCommand(account, 'create', 'Creates an account. The API is part of the Business plan.', [
    'mayfly account create --email team@example.org',
    'mayfly account create --email guest@example.org --plan free',
  ])
    .requiredOption('--email <address>', "the owner's e-mail address")
    .addOption(planOption().default('business'))
    .action(async (options: Options) => {
      const { database } = readConfig(process.env)
      const isNew = !isDatabaseUrl(database) && !existsSync(database)
      print(options, await withDatabase((db) => createAccount(db, options.email, options.plan), { create: true }), describe)
      if (options.json) return
      const label = databaseLabel(database)
      say(isNew
        ? line`It is in a new database, ${label}. For an account of a server that has another one, run this in its folder, or set MAYFLY_DATABASE.`
        : line`It is in the database ${label}.`)
    })

  operatorCommand(account, 'plan', 'Changes the plan of an account; its keys follow at once.', [
    'mayfly account plan --email team@example.org --plan free',
  ])
    .requiredOption('--email <address>', "the owner's e-mail address")
    .addOption(planOption().makeOptionMandatory())
    .action(async (options: Options) => {
      print(options, await withDatabase((db) => changePlan(db, options.email, options.plan)), describe)
    })

  const validity = `valid for ${linkLifetimeMinutes} minutes and works once.`
  operatorCommand(account, 'sign-in', `Prints a link for signing in to the dashboard. It is ${validity}`, [
    'mayfly account sign-in team@example.org',
    'mayfly account sign-in team@example.org --json | jq -r .url',
  ])
    .argument('<email>', "the account's e-mail address")
    .action(async (email: string, options: Pick<Options, 'json'>) => {
      const config = readConfig(process.env)
      const served = isDatabaseUrl(config.database) ? undefined : await findBaseUrl(config.database)
      const baseUrl = served ?? baseUrlOf(config)
      const link = await withDatabase((db) => createSignInLink(db, baseUrl, email))
      print(options, link, ({ url }) => line`${url}`)
      if (options.json) return
      say(`The link is ${validity}`)
      if (!served && !isUrlConfigured(process.env)) say('For a server at another port, set its MAYFLY_HTTP_PORT or MAYFLY_BASE_URL for this command too.')
    })

  operatorCommand(account, 'list', 'Lists the accounts.', ['mayfly account list'])
    .addOption(wideOption())
    .action(async (options: Options) => {
      printRows(options, await withDatabase(listAccounts), ['EMAIL', 'PLAN', 'CREATED', 'ID'],
        (row) => [row.email, row.plan, new Date(row.createdAt), { id: row.id }])
    })

  operatorCommand(account, 'delete', 'Deletes an account with its mail, addresses, keys and everything else, permanently: keys and addresses end at once, the server removes the data in the background.', [
    'mayfly account delete guest@example.org         asks for confirmation',
    'mayfly account delete guest@example.org --yes   in a script',
  ])
    .argument('<email>', "the account's e-mail address, as \"mayfly account list\" shows it")
    .option('--yes', 'do not ask for confirmation')
    .action(async (email: string, options: DeleteOptions) => {
      const deleted = await withDatabase(async (db) => {
        await findAccountToDelete(db, email)
        if (!options.yes) await confirmDeletion(email)
        return deleteAccount(db, email)
      })
      const found = await inspectDatabase(await existingDatabase())
      const when = 'isServed' in found && found.isServed ? 'in the background' : 'when it runs next'
      print(options, deleted, ({ email }) => line`deleted account ${email}; the server removes its data ${when}`)
      if (deleted.isLast && !options.json) {
        say('No account is left. "mayfly serve" makes an owner account with a new key at its next start; "mayfly account create" makes one now.')
      }
    })

  return account
}

/** @throws CliError unless the user types the e-mail address */
async function confirmDeletion(email: string) {
  if (!process.stdin.isTTY) throw new CliError('--yes: without a terminal, a deletion is confirmed by this option.')
  say(line`This deletes the account ${email} with all its mail, addresses and keys. It cannot be undone.`)
  const given = await askText('Type the e-mail address of the account to confirm:')
  if (given.trim().toLowerCase() !== email.toLowerCase()) throw new CliError('This is not the e-mail address of the account: nothing was deleted.')
}

/** The base URL by the settings, for a server that cannot be asked: it runs on another machine, or not yet. */
function baseUrlOf({ baseUrl }: Config): string {
  if (baseUrl !== null) return baseUrl
  throw new CliError('MAYFLY_BASE_URL: is needed, because MAYFLY_HTTP_PORT is 0. Set it to the URL of the server.')
}

const isUrlConfigured = (env: NodeJS.ProcessEnv) => Boolean(env['MAYFLY_HTTP_PORT'] || env['MAYFLY_BASE_URL'])

const describe = ({ email, plan, id }: Account) => line`account ${email}, plan ${plan}, id ${id}`
