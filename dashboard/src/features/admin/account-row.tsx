import { ActionIcon, NativeSelect, Table, Text } from '@mantine/core'
import { IconTrash } from '../../ui/icons.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ManagedAccount, ManagedAccountUpdate } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import { accountsUpdate } from '../../api/own-operations.ts'
import { number } from '../../language.ts'
import { formatBytes } from '../../ui/format-bytes.ts'
import { showDone } from '../../ui/notify.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { planOptions } from './plans.ts'
import { adminTexts } from './texts.ts'

const texts = adminTexts.accounts

interface AccountRowProps {
  account: ManagedAccount
  /** Whether it is the account of the session, which cannot delete itself here. */
  isOwn: boolean
  onDelete: () => void
}

export function AccountRow({ account, isOwn, onDelete }: AccountRowProps) {
  const { id, email, plan, isAdmin, createdAt, activeAddresses, storedBytes } = account
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (to: ManagedAccountUpdate['plan']) => accountsUpdate({ path: { id }, body: { plan: to } }),
    async onSuccess(_answer, to) {
      await client.invalidateQueries({ queryKey: keys.admin('accounts') })
      if (isOwn) void client.invalidateQueries({ queryKey: keys.account })
      showDone(texts.planChanged(email, texts.plans[to]))
    },
  })
  const marks = [isOwn && texts.own, isAdmin && texts.admin].filter(Boolean).join(', ')
  const [addresses, stored] = [number(activeAddresses), formatBytes(storedBytes)]
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}><bdi>{email}</bdi></Text>
        {marks && <Text size="xs" c="dimmed">{marks}</Text>}
        <Text size="xs" c="dimmed" hiddenFrom="sm">{texts.small(addresses, stored)}</Text>
      </Table.Td>
      <Table.Td>
        <NativeSelect
          size="xs" w={100} aria-label={texts.planOf(email)} value={change.isPending ? change.variables : plan} disabled={change.isPending}
          data={planOptions(plan)} onChange={({ currentTarget }) => change.mutate(currentTarget.value as ManagedAccountUpdate['plan'])}
        />
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="end">{addresses}</Table.Td>
      <Table.Td visibleFrom="sm" ta="end">{stored}</Table.Td>
      <Table.Td visibleFrom="sm"><Text size="sm" c="dimmed"><RelativeTime at={createdAt} /></Text></Table.Td>
      <Table.Td ta="end">
        {!isOwn && (
          <ActionIcon variant="subtle" color="gray" aria-label={texts.remove(email)} title={texts.remove(email)} onClick={onDelete}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
