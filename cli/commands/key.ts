import { Command } from 'commander'
import { createApiKey, revokeApiKey } from '../../server/domain/api-keys.ts'
import { listApiKeys } from '../../server/store/accounts/api-keys.ts'
import { withExamples } from '../client/options.ts'
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

  withExamples(key.command('create'), [
    'mayfly key create --account team@example.org --name ci --scope emails:read emails:write',
    'mayfly key create --account team@example.org --name trial --test',
    'KEY=$(mayfly key create --account team@example.org --name ci)   in a script',
  ])
    .description('Creates an API key. Its value is shown once, now.')
    .requiredOption('--account <email>', "the account's e-mail address or id")
    .requiredOption('--name <name>', 'name of the key, for its purpose')
    .option('--scope <scope...>', 'scopes of the key; without any, the key has all', [])
    .option('--test', 'a test key: sees only test data, and sends no mail')
    .option('--json', 'one JSON document on stdout')
    .action(async (options: CreateOptions) => {
      const input = { account: options.account, name: options.name, scopes: options.scope, isTest: options.test ?? false }
      const created = await withDatabase((db) => createApiKey(db, input))
      print(options, created, ({ key }) => key)
      if (!options.json) say(`Keep it: it is not shown again. Id ${created.id}, scopes ${created.scopes.join(', ')}.`)
    })

  withExamples(key.command('list'), ['mayfly key list', "mayfly key list --json | jq -r '.[].name'"])
    .description('Lists the keys, without their values.')
    .option('--json', 'one JSON document on stdout')
    .action(async (options: { json?: boolean }) => {
      printRows(options, await withDatabase(listApiKeys), ['ID', 'ACCOUNT', 'NAME', 'MODE', 'SCOPES', 'CREATED', 'REVOKED'],
        (row) => [row.id, row.account, row.name, row.mode, row.scopes.join(' '), row.createdAt, row.revokedAt ?? ''])
    })

  withExamples(key.command('revoke'), ['mayfly key revoke 019ceb92-ea80-752e-bca9-6513269e0d37'])
    .description('Revokes a key permanently, from the next request on.')
    .argument('<id>', 'id of the key, as "mayfly key list" shows it')
    .option('--json', 'one JSON document on stdout')
    .action(async (id: string, options: { json?: boolean }) => {
      print(options, await withDatabase((db) => revokeApiKey(db, id)), (row) => line`revoked ${row.name} (${row.id})`)
    })

  return key
}
