import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '../../api/keys.ts'
import { capturedEmailsGet, dataOf } from '../../api/own-operations.ts'
import { locale } from '../../language.ts'
import { texts as common } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import classes from './admin.module.css'
import { LinkedText } from './linked-text.tsx'
import { adminTexts } from './texts.ts'

const texts = adminTexts.captured
const { labels } = texts

/** A captured mail: its text as text, and its HTML as source alone. */
export function CapturedMail({ id, onClose }: { id: string, onClose: () => void }) {
  const mail = useQuery({ queryKey: keys.admin('captured-mail', id), queryFn: () => dataOf(capturedEmailsGet({ path: { id } })) })
  const [view, setView] = useState('text')
  const { data } = mail
  const body = view === 'html' ? data?.html : data?.text
  return (
    <Dialog size="xl" title={<bdi>{data ? data.subject || texts.noSubject : common.loading}</bdi>} onClose={onClose}>
      {mail.isPending && <LoadingRows count={4} />}
      {mail.isError && <ErrorState error={mail.error} retry={() => void mail.refetch()} />}
      {data && (
        <Stack gap="sm">
          <dl className={classes['head']}>
            {([['from', data.from], ['to', data.to], ['account', data.account], ['sent', new Date(data.sentAt).toLocaleString(locale)]] as const).map(([name, value]) => (
              <div key={name}><dt>{labels[name]}</dt><dd><bdi>{value}</bdi></dd></div>
            ))}
          </dl>
          {data.html !== null && (
            <SegmentedControl
              size="xs" aria-label={texts.views} value={view} onChange={setView} className={classes['views']}
              data={[{ value: 'text', label: texts.text }, { value: 'html', label: texts.html }]}
            />
          )}
          {body ? <pre className={classes['body']} dir="auto"><LinkedText text={body} isSource={view === 'html'} /></pre> : <Text size="sm" c="dimmed">{texts.noText}</Text>}
        </Stack>
      )}
    </Dialog>
  )
}
