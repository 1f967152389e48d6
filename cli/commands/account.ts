import { Command, Option } from 'commander'
import { changePlan, createAccount } from '../../server/domain/accounts.ts'
import { listAccounts } from '../../server/store/accounts.ts'
import type { Account } from '../../server/store/accounts.ts'
import type { Plan } from '../../server/store/schema.ts'
import { print, table } from '../output.ts'
import { withDatabase } from '../with-database.ts'

interface Options {
  email: string
  plan: Plan
  json?: boolean
}

const planOption = () => new Option('--plan <plan>', 'what the account may do').choices(['free', 'pro', 'business']).makeOptionMandatory()

export function accountCommands(): Command {
  const account = new Command('account')

  account.command('create')
    .description('Creates an account.')
    .requiredOption('--email <address>', "the owner's e-mail address")
    .addOption(planOption())
    .option('--json', 'one JSON document on stdout')
    .action(async (options: Options) => {
      print(options, await withDatabase((db) => createAccount(db, options.email, options.plan)), describe)
    })

  account.command('plan')
    .description('Changes the plan of an account; its keys follow at once.')
    .requiredOption('--email <address>', "the owner's e-mail address")
    .addOption(planOption())
    .option('--json', 'one JSON document on stdout')
    .action(async (options: Options) => {
      print(options, await withDatabase((db) => changePlan(db, options.email, options.plan)), describe)
    })

  account.command('list')
    .description('Lists the accounts.')
    .option('--json', 'one JSON document on stdout')
    .action(async (options: Options) => {
      print(options, await withDatabase(listAccounts), (accounts) =>
        table(['EMAIL', 'PLAN', 'CREATED', 'ID'], accounts.map((row) => [row.email, row.plan, row.createdAt, row.id])))
    })

  return account
}

const describe = ({ email, plan, id }: Account) => `account ${email}, plan ${plan}, id ${id}`
