import { Command, Option } from 'commander'
import { changePlan, createAccount } from '../../server/domain/accounts.ts'
import { listAccounts } from '../../server/store/accounts/accounts.ts'
import type { Account } from '../../server/store/accounts/accounts.ts'
import type { Plan } from '../../server/store/schema/values.ts'
import { operatorCommand } from '../client/options.ts'
import { line, print, printRows } from '../output.ts'
import { withDatabase } from '../with-database.ts'

interface Options {
  email: string
  plan: Plan
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
      print(options, await withDatabase((db) => createAccount(db, options.email, options.plan), { create: true }), describe)
    })

  operatorCommand(account, 'plan', 'Changes the plan of an account; its keys follow at once.', [
    'mayfly account plan --email team@example.org --plan free',
  ])
    .requiredOption('--email <address>', "the owner's e-mail address")
    .addOption(planOption().makeOptionMandatory())
    .action(async (options: Options) => {
      print(options, await withDatabase((db) => changePlan(db, options.email, options.plan)), describe)
    })

  operatorCommand(account, 'list', 'Lists the accounts.', ['mayfly account list'])
    .action(async (options: Options) => {
      printRows(options, await withDatabase(listAccounts), ['EMAIL', 'PLAN', 'CREATED', 'ID'],
        (row) => [row.email, row.plan, row.createdAt, row.id])
    })

  return account
}

const describe = ({ email, plan, id }: Account) => line`account ${email}, plan ${plan}, id ${id}`
