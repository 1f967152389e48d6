import { Anchor, Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './reader.module.css'
import { readerTexts as texts } from './texts.ts'

/** The newest mails of a thread that are shown. */
const maxMails = 10

/** Links to the other mails of a thread at the address of a mail. */
export function Thread({ email: { id, addressId, threadId } }: { email: Pick<Email, 'id' | 'addressId' | 'threadId'> }) {
  const { addressId: pathId = addressId } = useParams({ strict: false })
  const { data } = useQuery({
    queryKey: keys.emails('thread', addressId, threadId),
    queryFn: ({ signal }) => mayfly.emails.list({ addressId, threadId, limit: maxMails }, { signal }),
  })
  const others = data?.data.filter((each) => each.id !== id) ?? []
  return others.length > 0 && (
    <section aria-labelledby="thread">
      <Text component="h3" id="thread" size="sm" fw={600}>{texts.thread}</Text>
      <ul className={classes['thread']}>
        {others.map(({ id: otherId, from, fromName, subject, receivedAt }) => (
          <li key={otherId}>
            <Anchor size="sm" renderRoot={(props) => <Link to="/mail/$addressId/$emailId" params={{ addressId: pathId, emailId: otherId }} search {...props} />}>
              <bdi>{subject || texts.noSubject}</bdi>
            </Anchor>{' '}
            <Text span size="xs" c="dimmed"><bdi>{fromName || from || texts.noSender}</bdi>{' '}<RelativeTime at={receivedAt} /></Text>
          </li>
        ))}
      </ul>
    </section>
  )
}
