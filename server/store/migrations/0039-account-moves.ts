import type { Engine } from '../engine.ts'

/** The trigger of migration 0027: the mail of an event that comes from another database keeps its number. */
const numberOwnMail = [
  'drop trigger outbox_number on outbox',
  `create trigger outbox_number after insert on outbox for each row
    when (new.event in ('email.received', 'email.sent') and new.former_seq is null) execute function outbox_number()`,
]

/**
 * The state of the move of an account to another PostgreSQL database: null for none. While it is set, `deleted_at` is too, so that the
 * account has no effect. An event that has come with its account has the number that it had there.
 */
export const statements = ({ shared }: Engine) => [
  'alter table accounts add column move text',
  'alter table accounts add column move_to text',
  'alter table outbox add column former_seq bigint',
  'create index outbox_moved on outbox (account_id, former_seq) where former_seq is not null',
  ...shared ? numberOwnMail : [],
]
