import { Command } from 'commander'
import { newApiKey } from '../../server/api-key-format.ts'
import { readConfig } from '../../server/config/config.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'
import { createApiKey, revokeApiKey } from '../../server/domain/api-keys.ts'
import { plansWithApi } from '../../server/store/schema/values.ts'
import { listAccounts } from '../../server/store/accounts/accounts.ts'
import { listApiKeys } from '../../server/store/accounts/api-keys.ts'
import type { Database } from '../../server/store/database.ts'
import { CliError } from '../cli-error.ts'
import { findId, refuseShortPart, searched } from '../client/find-by-part.ts'
import type { Kind } from '../client/find-by-part.ts'
import { dialectOption, isIdPart, operatorCommand, wideOption } from '../client/options.ts'
import { line, print, printRows, say } from '../output.ts'
import { withDatabase } from '../with-database.ts'
import { boundsOf, boundsText, limitsText, withBounds } from './api-key.ts'
import type { BoundOptions } from './api-key.ts'

interface CreateOptions extends BoundOptions {
  account?: string
  name: string
  scope: string[]
  test?: boolean
  dialect: DialectName
  json?: boolean
}

export function keyCommands(): Command {
  const key = new Command('key')

  withBounds(operatorCommand(key, 'create', 'Creates an API key. Its value is shown once, now.', [
    'mayfly key create --name ci                          of the only account',
    'mayfly key create --account team@example.org --name ci --scope emails:read emails:write',
    'mayfly key create --account team@example.org --name trial --test',
    'mayfly key create --name legacy --dialect classic',
    'mayfly key create --name pipeline --address-prefix ci- --max-addresses 20 --expires-in 90d',
    'KEY=$(mayfly key create --account team@example.org --name ci)   in a script',
  ])
    .option('--account <email>', "the account's e-mail address or id; default: the only account")
    .requiredOption('--name <name>', 'a name for the key, such as its use')
    .option('--scope <scope...>', 'the scopes of the key; default: all but keys:manage', [])
    .option('--test', 'a test key: it sees only test data, and its mail is not sent')
    .addOption(dialectOption('the dialect of the API that its requests speak unless they name one').default('primary')))
    .action(async (options: CreateOptions) => {
      const { plan, ...created } = await withDatabase(async (db) => createApiKey(db, {
        account: options.account ?? await onlyAccount(db), name: options.name, scopes: options.scope, isTest: options.test ?? false,
        dialect: options.dialect, bounds: boundsOf(options), expiresIn: options.expiresIn,
        defaultDomain: readConfig(process.env).defaultDomain,
      }))
      print(options, created, ({ key }) => key)
      const limits = limitsText(created)
      if (!options.json) say(`Keep it: it is not shown again. Id ${created.id}, scopes ${created.scopes.join(', ')}.${limits && ` ${limits}`}`)
      if (!plansWithApi.includes(plan)) {
        say(`The ${plan} plan of ${created.account} has no API: the key works after "mayfly account plan --email ${created.account} --plan business".`)
      }
    })

  operatorCommand(key, 'generate', 'Prints a new key that no account has, for MAYFLY_INITIAL_API_KEY. It stores nothing.', [
    'MAYFLY_INITIAL_API_KEY=$(mayfly key generate) mayfly serve',
  ])
    .option('--test', 'a test key')
    .action((options: { test?: boolean, json?: boolean }) => {
      print(options, { key: newApiKey(options.test ? 'test' : 'live') }, ({ key }) => key)
    })

  operatorCommand(key, 'list', 'Lists the keys, without their values.', ['mayfly key list', "mayfly key list --json | jq -r '.[].name'"])
    .addOption(wideOption())
    .action(async (options: { json?: boolean }) => {
      printRows(options, await withDatabase(listApiKeys), ['ID', 'ACCOUNT', 'NAME', 'KEY', 'SCOPES', 'DIALECT', 'BOUNDS', 'CREATED', 'LAST USED', 'ENDS', 'REVOKED'],
        (row) => [{ id: row.id }, row.account, row.name, `${row.prefix ?? `svc_${row.mode}_`}…`, row.scopes.join(' '), row.dialect,
          boundsText(row.bounds), new Date(row.createdAt), timeIn(row.lastUsedAt), timeIn(row.expiresAt), timeIn(row.revokedAt)])
    })

  operatorCommand(key, 'revoke', 'Revokes a key, permanently and at once.', ['mayfly key revoke 019ceb92-ea80-752e-bca9-6513269e0d37'])
    .argument('<id>', 'id of the key, as "mayfly key list" shows it, or its beginning or end')
    .action(async (id: string, options: { json?: boolean }) => {
      print(options, await withDatabase(async (db) => revokeApiKey(db, await keyId(db, id))), (row) => line`revoked ${row.name} (${row.id})`)
    })

  return key
}

const timeIn = (text: string | null) => text ? new Date(text) : ''

/** @throws CliError that lists the accounts, unless there is exactly one */
async function onlyAccount(db: Database): Promise<string> {
  const accounts = await listAccounts(db)
  if (accounts.length === 1) return accounts[0]!.id
  const names = accounts.slice(0, maxNamed).map(({ email }) => email).join(', ')
  throw new CliError(accounts.length === 0
    ? '--account: there is no account yet. Create it with: mayfly account create --email you@example.org'
    : `--account: choose one of the ${accounts.length} accounts: ${names}${accounts.length > maxNamed ? ', …' : ''}`)
}

/** Maximum accounts that an error names. */
const maxNamed = 20

async function keyId(db: Database, wanted: string): Promise<string> {
  if (!isIdPart(wanted)) return wanted
  refuseShortPart(wanted)
  const kind: Kind<Key> = { plural: 'keys', listCommand: 'mayfly key list', title: ({ account, name }) => `${account}  ${name}` }
  return findId(wanted, kind, async () => (await listApiKeys(db)).slice(-searched))
}

type Key = Awaited<ReturnType<typeof listApiKeys>>[number]
