import type { JobPayloads, TaskName } from '../jobs/job-payloads.ts'
import type { Schema } from '../schema/schema.ts'

/** Lists of ids by which rows are found that belong to an account. */
export type Scope = 'account' | 'email' | 'addresses' | 'mailboxes' | 'counters' | 'keys' | 'webhooks' | 'limits'

export interface AccountTable {
  /** The list of ids, one of which is in the column `by` of each row. */
  scope: Scope
  by: string
  /** Whether its rows never change. */
  isConstant?: true
  /** Whether it may have so many rows that they are copied before the account is held. */
  isLarge?: true
}

/** The column of the account. */
const ofAccount = { scope: 'account', by: 'account_id' } as const

/**
 * The tables with rows of an account that are copied as they are, each after those to which its rows refer. Mail, events and jobs have
 * functions of their own.
 */
export const accountTables = {
  members: ofAccount,
  sessions: ofAccount,
  sign_in_links: { scope: 'email', by: 'email' },
  api_keys: ofAccount,
  api_key_uses: { scope: 'keys', by: 'api_key_id' },
  audit_logs: { ...ofAccount, isConstant: true, isLarge: true },
  idempotency_keys: { ...ofAccount, isLarge: true },
  domains: ofAccount,
  address_names: { ...ofAccount, isLarge: true },
  addresses: { ...ofAccount, isLarge: true },
  share_links: { scope: 'addresses', by: 'address_id' },
  smtp_activity: ofAccount,
  forwarding_addresses: ofAccount,
  forwarding_rules: { scope: 'addresses', by: 'address_id' },
  removed_mailboxes: { scope: 'mailboxes', by: 'address_id' },
  deliveries: { ...ofAccount, isLarge: true },
  webhooks: ofAccount,
  webhook_deliveries: { scope: 'webhooks', by: 'webhook_id', isLarge: true },
  totals: ofAccount,
  account_bytes: ofAccount,
  daily_counts: ofAccount,
  email_counts: { scope: 'counters', by: 'owner' },
  mail_counts: { scope: 'limits', by: 'name' },
} as const satisfies { [Table in keyof Schema]?: AccountTable }

/** Tables of messages, by the column with the id of the message. Their rows never change. */
export const messageTables = {
  messages: 'id',
  attachments: 'message_id',
  message_excerpts: 'message_id',
  message_chunks: 'message_id',
  authentications: 'message_id',
} as const satisfies { [Table in keyof Schema]?: string }

/** Tables with functions of their own, and those without rows of accounts that a move has to copy, each with the reason. */
export const otherTables = {
  accounts: 'account-states.ts',
  emails: 'account-mail.ts',
  shared_messages: 'account-mail.ts',
  source_places: 'account-mail.ts copies the sources into chunks: each database has segments of its own',
  source_segments: 'as source_places',
  outbox: 'events/moved-events.ts',
  jobs: 'account-jobs.ts',
  secrets: 'former secrets: secrets.ts',
  discarded_messages: 'mail that is being removed',
  email_search: 'the target makes the index of search again',
  email_search_owners: 'as email_search',
  email_search_pending: 'as email_search: a trigger fills it',
  email_search_buckets: 'as email_search',
  email_search_key_bitmaps: 'as email_search',
  call_counts: 'calls of a minute',
  api_key_version: 'of the database',
  audit_retention: 'of the database',
  commit_records: 'of the database',
  migrations: 'of the database',
  nodes: 'of the database',
}

/** SQL that selects ids of rows of an account, which is the parameter $1. */
const idsOf = (table: keyof Schema, column = 'id') => `select ${column} from ${table} where ${ofAccount.by} = $1`

const mailboxes = `${idsOf('addresses')} union ${idsOf('emails', 'address_id')}`

/** SQL that selects the ids of a scope. */
export const scopeSql: Record<Exclude<Scope, 'account' | 'limits'>, string> = {
  email: 'select email from accounts where id = $1',
  addresses: idsOf('addresses'),
  mailboxes,
  counters: `${mailboxes} union select $1::text || '/' || name from unnest(array['live', 'test']) as modes (name)`,
  keys: idsOf('api_keys'),
  webhooks: idsOf('webhooks'),
}

/** Messages of an account that may have no email: of outgoing mail, and of received mail that is not parsed yet. */
export const hiddenMessagesSql = `${idsOf('deliveries', 'message_id')}
  union select payload::json ->> 'id' from jobs where task = 'parse-message' and (${recipientsInclude('payload', '=')})`

/** Whether the mail of a job `parse-message` has recipients of the account, or others. */
export function recipientsInclude(payload: string, operator: '=' | '<>'): string {
  return `exists (select 1 from json_array_elements(${payload}::json -> 'envelope' -> 'recipients') as recipient
    where coalesce(recipient ->> 'accountId', '') ${operator} $1)`
}

/** A condition for the payloads of jobs: the member is one of the ids. */
const memberIn = (member: string, ids: string) => `payload::json ->> '${member}' in (${ids})`

const ofDomain = memberIn('domainId' satisfies keyof JobPayloads['verify-domain'], `${idsOf('domains')} union ${idsOf('addresses', 'domain_id')}`)
const ofMailbox = memberIn('addressId' satisfies keyof JobPayloads['expire-address'], mailboxes)

/** The jobs of an account, by task: a condition for their rows. Null for tasks of the database, and for mail that has no account yet. */
export const jobsOfAccount: Record<TaskName, string | null> = {
  'parse-message': recipientsInclude('payload', '='),
  'authenticate-message': memberIn('messageId', idsOf('emails', 'message_id')),
  'deliver-mail': memberIn('deliveryId', idsOf('deliveries')),
  'deliver-webhook': memberIn('deliveryId',
    `select webhook_deliveries.id from webhook_deliveries join webhooks on webhooks.id = webhook_id where ${ofAccount.by} = $1`),
  'verify-domain': ofDomain,
  'bind-addresses': ofDomain,
  'expire-address': ofMailbox,
  'trim-mailbox': ofMailbox,
  'purge-address': `payload::json -> 'owner' ->> 'accountId' = $1`,
  'purge-mailbox': ofMailbox,
  'give-up-deliveries': memberIn('webhookId', idsOf('webhooks')),
  'purge-deliveries': `payload::json ->> 'accountId' = $1`,
  'purge-account': null,
  'send-sign-in-link': null,
  'discard-message': null,
  'purge-messages': null,
  'shrink-database': null,
  'sweep': null,
  'move-sources': null,
  'remove-segments': null,
}
