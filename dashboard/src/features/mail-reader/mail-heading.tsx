import { Badge, Group, Text, Title } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { formatExact, showHidden } from './format.ts'
import classes from './reader.module.css'
import { readerTexts as texts } from './texts.ts'

/** Subject, sender, recipient and time. */
export const MailHeading = ({ email: { subject, fromName, from, to, receivedAt, type, isDeleted } }: { email: Email }) => (
  <header>
    <Group gap="xs" align="baseline">
      <Title order={2} className={classes['subject']}><bdi>{subject || texts.noSubject}</bdi></Title>
      {isDeleted && <Badge color="gray" variant="light">{texts.deleted}</Badge>}
    </Group>
    <dl className={classes['facts']}>
      <dt>{texts.from}</dt>
      <dd>
        {fromName && <><bdi className={classes['name']}>{fromName}</bdi>{' '}</>}
        <bdi>{fromName && from ? `<${showHidden(from)}>` : showHidden(from) || texts.noSender}</bdi>
      </dd>
      <dt>{texts.to}</dt>
      <dd><bdi>{showHidden(to)}</bdi></dd>
      <dt>{type === 'sent' ? texts.queued : texts.received}</dt>
      <dd>{formatExact(receivedAt)} <Text span c="dimmed" size="sm">(<RelativeTime at={receivedAt} />)</Text></dd>
    </dl>
  </header>
)
