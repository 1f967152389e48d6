import { Command, Option } from 'commander'
import { changePlan, createAccount } from '../../server/domain/accounts.ts'
import { listAccounts } from '../../server/store/accounts/accounts.ts'
import type { Account } from '../../server/store/accounts/accounts.ts'
import type { Plan } from '../../server/store/schema/values.ts'
import { withExamples } from '../client/options.ts'
import { line, print, printRows } from '../output.ts'
import { withDatabase } from '../with-database.ts'

interface Options {
  email: string
  plan: Plan
  json?: boolean
}

const planOption = () => new Option('--plan <plan>', 'limits of the account').choices(['free', 'pro', 'business']).makeOptionMandatory()

export function accountCommands(): Command {
  const account = new Command('account')

  withExamples(account.command('create'), ['mayfly account create --email team@example.org --plan business'])
    .description('Creates an account. The API is part of the Business plan.')
    .requiredOption('--email <address>', "the owner's e-mail address")
    .addOption(planOption())
    .option('--json', 'one JSON document on stdout')
    .action(async (options: Options) => {
      print(options, await withDatabase((db) => createAccount(db, options.email, options.plan), { create: true }), describe)
    })

  withExamples(account.command('plan'), ['mayfly account plan --email team@example.org --plan free'])
    .description('Changes the plan of an account, with immediate effect on its keys.')
    .requiredOption('--email <address>', "the owner's e-mail address")
    .addOption(planOption())
    .option('--json', 'one JSON document on stdout')
    .action(async (options: Options) => {
      print(options, await withDatabase((db) => changePlan(db, options.email, options.plan)), describe)
    })

  withExamples(account.command('list'), ['mayfly account list'])
    .description('Lists the accounts.')
    .option('--json', 'one JSON document on stdout')
    .action(async (options: Options) => {
      printRows(options, await withDatabase(listAccounts), ['EMAIL', 'PLAN', 'CREATED', 'ID'],
        (row) => [row.email, row.plan, row.createdAt, row.id])
    })

  return account
}

const describe = ({ email, plan, id }: Account) => line`account ${email}, plan ${plan}, id ${id}`
