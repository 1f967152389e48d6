import { Badge, Button, Text, Title } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { useState } from 'react'
import hidden from '../../ui/hidden.module.css'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { formatExact, formatShort, showHidden } from './format.ts'
import classes from './reader.module.css'
import { readerTexts as texts } from './texts.ts'

type ShownHeading =
  & Pick<Email, 'subject' | 'fromName' | 'from' | 'to' | 'recipients' | 'recipientsTotal' | 'type' | 'isDeleted' | 'envelope'>
  & { receivedAt: Date | string }

/** Subject, and in a line sender, recipient and time; of the envelope, what differs from them. */
export const MailHeading = ({ email: { subject, fromName, from, to, receivedAt, type, isDeleted, ...email } }: { email: ShownHeading }) => (
  <header>
    <div className={classes['heading']}>
      <Title order={2} className={classes['subject']}><bdi>{subject || texts.noSubject}</bdi></Title>
      {isDeleted && <Badge color="gray" variant="light" flex="none">{texts.deleted}</Badge>}
      <Text c="dimmed" size="sm" className={classes['time']} title={formatExact(receivedAt)} aria-hidden>
        {formatShort(receivedAt)} · <RelativeTime at={receivedAt} />
      </Text>
    </div>
    <dl className={classes['facts']}>
      <dt className={hidden['hidden']}>{texts.from}</dt>
      <dd>
        {fromName && <><bdi className={classes['name']}>{fromName}</bdi>{' '}</>}
        <bdi>{fromName && from ? `<${showHidden(from)}>` : showHidden(from) || texts.noSender}</bdi>
      </dd>
      <dt data-arrow>{texts.to}</dt>
      <dd><Recipients to={to} {...email} /></dd>
      {email.envelope && email.envelope.from.toLowerCase() !== from.toLowerCase() && (
        <>
          <dt>{texts.envelopeFrom}</dt>
          <dd><bdi>{showHidden(email.envelope.from) || texts.nullSender}</bdi></dd>
        </>
      )}
      {email.envelope && email.envelope.via !== 'address' && (
        <>
          <dt>{texts.via}</dt>
          <dd>{texts.ways[email.envelope.via] ?? email.envelope.via}</dd>
        </>
      )}
      <dt className={hidden['hidden']}>{type === 'sent' ? texts.queued : texts.received}</dt>
      <dd className={hidden['hidden']}>{formatExact(receivedAt)}</dd>
    </dl>
  </header>
)

/** More are shown on request. */
const maxFirstRecipients = 5

/** All recipients of the envelope, with Bcc, where a mail has several. */
function Recipients({ to, recipients, recipientsTotal }: Pick<Email, 'to' | 'recipients' | 'recipientsTotal'>) {
  const [isAll, setAll] = useState(false)
  if (recipientsTotal < 2) return <bdi>{showHidden(to)}</bdi>
  const shown = recipients.slice(0, isAll ? undefined : maxFirstRecipients)
  return (
    <>
      <ul className={classes['recipients']} aria-label={texts.recipients(recipientsTotal)}>
        {shown.map((recipient) => <li key={recipient}><bdi>{showHidden(recipient)}</bdi></li>)}
      </ul>
      {shown.length < recipients.length
        ? <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>{texts.allRecipients(recipients.length)}</Button>
        : recipientsTotal > recipients.length && <Text span size="sm" c="dimmed">{texts.moreRecipients(recipientsTotal - recipients.length)}</Text>}
    </>
  )
}
