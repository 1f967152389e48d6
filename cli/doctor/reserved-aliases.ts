import { timestamp } from '../../server/clock.ts'
import { ownerEmail } from '../../server/domain/accounts.ts'
import { warning } from './check.ts'
import type { Check, CheckContext } from './check.ts'

/** Finds accounts that issued an alias before it was reserved for the operator. */
export const reservedAliases: Check = {
  name: 'reserved-aliases',
  appliesTo: (context) => holders(context).length > 0,
  run: async (context) => holders(context).map(({ address, email, expiresAt }) =>
    warning(`${address} is an address of ${email} until ${timestamp(expiresAt)}, and names the operator of this server`,
      'Ask the account to delete it. It can be issued by no account any more.')),
}

/** Without the operator's own account. */
const holders = ({ config, database }: CheckContext) =>
  ('held' in database ? database.held : []).filter(({ email }) => email !== ownerEmail(config.defaultDomain))
