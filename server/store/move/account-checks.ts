import type { Database } from '../database.ts'
import { ofAccount } from '../owner.ts'

/** Whether two connections lead to one database. */
export async function isSameDatabase(one: Database, other: Database): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(async (db) => {
    const { rows: [row] } = await db.execute('select current_database() as name, pg_postmaster_start_time()::text as started_at', []) as { rows: object[] }
    return JSON.stringify(row)
  }))
  return first === second
}

/** Whether two databases have the same migrations. */
export async function haveSameVersion(one: Database, other: Database): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(async (db) =>
    JSON.stringify(await db.sql.selectFrom('migrations').select('name').orderBy('name').execute())))
  return first === second
}

/** Names of one query. */
const maxNames = 5_000

/**
 * Finds a thing of the account that another account of the target has, and that only one account may have.
 * @returns a sentence about it; undefined when there is none
 */
export async function findConflict(
  source: Database, target: Database, { id, email }: { id: string, email: string },
): Promise<string | undefined> {
  const others = target.sql.selectFrom('accounts').select('id').where('id', '!=', id)
  const other = await others.where('email', '=', email).executeTakeFirst()
  if (other) return `${email} is the e-mail address of another account there.`
  const domains = await source.sql.selectFrom('domains').select('domain').$call(ofAccount(id)).where('status', '=', 'verified').execute()
  for (const { domain } of domains) {
    const holder = await target.sql.selectFrom('domains').select('id').where('domain', '=', domain).where('status', '=', 'verified')
      .where('account_id', '!=', id).executeTakeFirst()
    if (holder) return `Another account there has verified the domain ${domain}.`
  }
  const keys = await source.sql.selectFrom('api_keys').select('hash').$call(ofAccount(id)).execute()
  const sameKey = keys.length > 0 && await target.sql.selectFrom('api_keys').select('prefix').where('hash', 'in', keys.map(({ hash }) => hash))
    .where('account_id', '!=', id).executeTakeFirst()
  if (sameKey) return `Another account there has the API key ${sameKey.prefix ?? ''}…, such as that of MAYFLY_INITIAL_API_KEY.`
  const taken = await findTakenName(source, target, id)
  return taken && `The address ${taken} is, or was within 30 days, one of another account there.`
}

async function findTakenName(source: Database, target: Database, id: string): Promise<string | undefined> {
  for (let after = ''; ;) {
    const rows = await source.sql.selectFrom('address_names').select(['address', 'released_at as releasedAt'])
      .$call(ofAccount(id)).where('domain_id', '=', '')
      .where('address', '>', after).orderBy('address').limit(maxNames).execute()
    if (rows.length === 0) return undefined
    const found = await target.sql.selectFrom('address_names').select(['address', 'account_id as accountId', 'released_at as releasedAt'])
      .where('domain_id', '=', '').where('address', 'in', rows.map(({ address }) => address)).execute()
    const released = new Set(rows.filter(({ releasedAt }) => releasedAt !== null).map(({ address }) => address))
    // one without an account was reserved when an account was deleted, or, without a time, when one left this database
    const taken = found.find(({ address, accountId, releasedAt }) =>
      accountId === null ? releasedAt !== null && !released.has(address) : accountId !== id)
    if (taken) return taken.address
    after = rows.at(-1)!.address
  }
}

/** The recipients of verification mails of an account, which are limited by their number. */
export async function verificationRecipients(db: Database, accountId: string): Promise<{ recipient: string, mode: 'live' | 'test' }[]> {
  return db.sql.selectFrom('deliveries').select(['recipient', 'mode']).distinct().$call(ofAccount(accountId)).where('kind', '=', 'verification').execute()
}
