import { Command } from 'commander'
import { createApiKey, revokeApiKey } from '../../server/domain/api-keys.ts'
import { listApiKeys } from '../../server/store/accounts/api-keys.ts'
import type { Database } from '../../server/store/database.ts'
import { findId, searched } from '../client/find-by-part.ts'
import { isIdPart, operatorCommand } from '../client/options.ts'
import { line, print, printRows, say } from '../output.ts'
import { withDatabase } from '../with-database.ts'

interface CreateOptions {
  account: string
  name: string
  scope: string[]
  test?: boolean
  json?: boolean
}

export function keyCommands(): Command {
  const key = new Command('key')

  operatorCommand(key, 'create', 'Creates an API key. Its value is shown once, now.', [
    'mayfly key create --account team@example.org --name ci --scope emails:read emails:write',
    'mayfly key create --account team@example.org --name trial --test',
    'KEY=$(mayfly key create --account team@example.org --name ci)   in a script',
  ])
    .requiredOption('--account <email>', "the account's e-mail address or id")
    .requiredOption('--name <name>', 'a name for the key, such as its use')
    .option('--scope <scope...>', 'the scopes of the key; default: all', [])
    .option('--test', 'a test key: it sees only test data, and its mail is not sent')
    .action(async (options: CreateOptions) => {
      const input = { account: options.account, name: options.name, scopes: options.scope, isTest: options.test ?? false }
      const created = await withDatabase((db) => createApiKey(db, input))
      print(options, created, ({ key }) => key)
      if (!options.json) say(`Keep it: it is not shown again. Id ${created.id}, scopes ${created.scopes.join(', ')}.`)
    })

  operatorCommand(key, 'list', 'Lists the keys, without their values.', ['mayfly key list', "mayfly key list --json | jq -r '.[].name'"])
    .action(async (options: { json?: boolean }) => {
      printRows(options, await withDatabase(listApiKeys), ['ID', 'ACCOUNT', 'NAME', 'MODE', 'SCOPES', 'CREATED', 'REVOKED'],
        (row) => [row.id, row.account, row.name, row.mode, row.scopes.join(' '), row.createdAt, row.revokedAt ?? ''])
    })

  operatorCommand(key, 'revoke', 'Revokes a key, permanently and at once.', ['mayfly key revoke 019ceb92-ea80-752e-bca9-6513269e0d37'])
    .argument('<id>', 'id of the key, as "mayfly key list" shows it, or its beginning or end')
    .action(async (id: string, options: { json?: boolean }) => {
      print(options, await withDatabase(async (db) => revokeApiKey(db, await keyId(db, id))), (row) => line`revoked ${row.name} (${row.id})`)
    })

  return key
}

const keyId = async (db: Database, wanted: string) => !isIdPart(wanted) ? wanted : findId(wanted, {
  plural: 'keys', listCommand: 'mayfly key list', title: ({ account, name }) => `${account}  ${name}`,
}, async () => (await listApiKeys(db)).slice(-searched))
