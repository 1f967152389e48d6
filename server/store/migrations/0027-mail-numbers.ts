import type { Engine } from '../engine.ts'

const numberMail = "update emails set seq = new.seq where id = new.data %s ->> 'emailId'"
const isOfMail = "new.event in ('email.received', 'email.sent')"

/** SQLite reads JSON in texts; PostgreSQL converts them. */
const triggers = ({ shared }: Engine) => shared
  ? [`create function outbox_number() returns trigger language plpgsql as $$ begin
       ${numberMail.replace('%s', ':: json')};
       return null;
     end $$;
     create trigger outbox_number after insert on outbox for each row when (${isOfMail}) execute function outbox_number()`]
  : [`create trigger outbox_number after insert on outbox when ${isOfMail} begin ${numberMail.replace('%s', '')}; end`]

/**
 * The number of each mail in the order of the commits, which cursors have: that of its event. A trigger sets it, so that the mail of nodes
 * of the version before has one too. Mail that is there already gets numbers in the order of its arrival, up to that of the last event; of
 * more mails than events, the first have numbers below 0.
 */
export const statements = (engine: Engine) => [
  'alter table emails add column seq bigint',
  `update emails set seq = numbered.seq from (
    select id, (select coalesce(max(seq), 0) from outbox) - (select count(*) from emails) + row_number() over (order by id) as seq
    from emails
  ) as numbered where numbered.id = emails.id`,
  // a mail gets its number at the end of its transaction: before that, it is in neither index
  'create index emails_by_account_number on emails (account_id, mode, is_deleted, type, seq) where seq is not null',
  'create index emails_by_address_number on emails (address_id, is_deleted, type, seq) where seq is not null',
  ...triggers(engine),
]
