import { Center, Paper, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { keys } from '../api/keys.ts'
import { openSharedInbox } from '../api/shared-inbox.ts'
import { SharedList } from '../features/sharing/shared-list.tsx'
import { SharedMail } from '../features/sharing/shared-mail.tsx'
import classes from '../features/sharing/shared.module.css'
import { sharingTexts } from '../features/sharing/texts.ts'
import { texts as common } from '../texts.ts'
import { useTitle } from '../ui/page.tsx'
import { TimeLeft } from '../ui/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx'

const texts = sharingTexts.shared

/** How often the list is read while the page is seen. */
const pollMs = 10_000

/** The inbox of a share link, whose token is the fragment: for anyone, without a session. */
export function SharedInbox() {
  useTitle(texts.title)
  const token = useLocation({ select: ({ hash }) => hash })
  return <Inbox key={token} token={token} />
}

function Inbox({ token }: { token: string }) {
  const [ended, setEnded] = useState<string>()
  const reader = useMemo(() => openSharedInbox(token, setEnded), [token])
  const [openId, setOpenId] = useState<string>()
  const inbox = useQuery({ queryKey: keys.shared(token), queryFn: ({ signal }) => reader.read(signal), staleTime: Infinity })
  const list = useInfiniteQuery({
    queryKey: keys.shared(token, 'emails'),
    queryFn: ({ pageParam, signal }) => reader.list(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, hasMore }) => hasMore ? data.at(-1)?.id : undefined,
    refetchInterval: ({ state: { data } }) => pollMs * Math.max(1, data?.pages.length ?? 1), // it reloads all pages
    enabled: inbox.isSuccess && ended === undefined,
  })
  if (ended !== undefined) return <Ended message={ended} />
  const error = inbox.error ?? list.error
  if (!inbox.data) return error ? <ErrorState error={error} retry={() => void inbox.refetch()} /> : <LoadingRows />
  const emails = list.data?.pages.flatMap(({ data }) => data)
  return (
    <div className={classes['page']}>
      <header className={classes['header']}>
        <Title order={1} size="md" className={classes['address']}>{inbox.data.address}</Title>
        <Text size="xs" c="dimmed">{texts.ends} <TimeLeft until={inbox.data.expiresAt} /> · {common.product}</Text>
      </header>
      <main className={classes['panes']} data-view={openId === undefined ? 'list' : 'mail'}>
        <div className={classes['list']}>
          {emails
            ? (
                <SharedList
                  emails={emails} openId={openId} onOpen={setOpenId}
                  onOlder={list.hasNextPage ? () => void list.fetchNextPage() : undefined} isLoadingOlder={list.isFetchingNextPage}
                />
              )
            : error ? <ErrorState error={error} retry={() => void list.refetch()} /> : <LoadingRows />}
        </div>
        <div className={classes['mail']}>
          {openId === undefined
            ? emails && emails.length > 0 && <EmptyState title={texts.choose} />
            : <SharedMail key={openId} token={token} reader={reader} id={openId} onClose={() => setOpenId(undefined)} />}
        </div>
      </main>
    </div>
  )
}

const Ended = ({ message }: { message: string }) => (
  <Center mih="100%" p="md" component="main">
    <Paper withBorder p="xl" w="100%" maw={400}>
      <Title order={1} mb="md">{texts.ended}</Title>
      <Text size="sm" role="alert">{message}</Text>
    </Paper>
  </Center>
)
