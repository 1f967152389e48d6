import { ActionIcon, Box, Button, Group, Table, Text } from '@mantine/core'
import type { ForwardingAddress } from '@mayfly-mail/sdk'
import { IconMailForward, IconTrash } from '../../ui/icons.tsx'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { mayfly } from '../../api/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { ForMembers } from '../../ui/for-members.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { showDone } from '../../ui/notify.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { DeleteDestination } from './delete-destination.tsx'
import { forwardingTexts } from './texts.ts'
import { useDestinations } from './use-destinations.ts'

const texts = forwardingTexts.destinations
const columns = [
  { title: texts.columns.email, minWidth: 220 }, { title: texts.columns.state, isWide: true }, { title: texts.columns.added, isWide: true },
  { title: texts.columns.actions, isHidden: true },
]

/** @param addButton in place of an empty list */
export function DestinationList({ addButton }: { addButton: ReactNode }) {
  const list = useDestinations()
  const [deleted, setDeleted] = useState<ForwardingAddress>()
  if (list.isPending) return <LoadingRows count={2} />
  if (!list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  if (list.destinations.length === 0) {
    return (
      <EmptyState icon={<IconMailForward size={32} stroke={1.4} aria-hidden />} title={texts.empty} action={addButton}>
        {texts.emptyHint}
      </EmptyState>
    )
  }
  return (
    <>
      <DataTable label={texts.title} columns={columns}>
        {list.destinations.map((each) => <DestinationRow key={each.id} destination={each} onDelete={() => setDeleted(each)} />)}
      </DataTable>
      <MoreRows {...list} />
      {deleted && <DeleteDestination destination={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  )
}

function DestinationRow({ destination, onDelete }: { destination: ForwardingAddress, onDelete: () => void }) {
  const { id, email, isVerified, createdAt } = destination
  const resend = useMutation({
    mutationFn: () => mayfly.forwardingAddresses.resendVerification(id),
    onSuccess: () => showDone(texts.resent(email)),
  })
  const state = <StatusBadge tone={isVerified ? 'good' : 'waiting'}>{isVerified ? texts.verified : texts.waiting}</StatusBadge>
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}><bdi>{email}</bdi></Text>
        <Box hiddenFrom="sm">{state}</Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">{state}</Table.Td>
      <Table.Td visibleFrom="sm"><Text size="sm" c="dimmed"><RelativeTime at={createdAt} /></Text></Table.Td>
      <Table.Td>
        <ForMembers>
          <Group gap="xs" justify="end" wrap="nowrap">
            {!isVerified && (
              <Button size="compact-sm" variant="default" loading={resend.isPending} aria-label={texts.resendTo(email)} onClick={() => resend.mutate()}>
                {texts.resend}
              </Button>
            )}
            <ActionIcon variant="subtle" color="gray" aria-label={texts.remove(email)} title={texts.remove(email)} onClick={onDelete}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        </ForMembers>
      </Table.Td>
    </Table.Tr>
  )
}
