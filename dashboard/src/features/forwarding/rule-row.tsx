import { Box, Button, Skeleton, Table, Text } from '@mantine/core'
import type { Address, ForwardingRule } from '@mayfly-mail/sdk'
import { useQuery } from '@tanstack/react-query'
import { describeError } from '../../ui/describe-error.ts'
import { ForMembers } from '../../ui/for-members.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ruleQuery } from './rule-query.ts'
import { forwardingTexts } from './texts.ts'

const texts = forwardingTexts.rules

/** An address and its rule, which is loaded with the row. */
export function RuleRow({ address, onEdit }: { address: Address, onEdit: () => void }) {
  const { data: rule, error, isPending } = useQuery(ruleQuery(address.id))
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>{address.address}</Text>
        <Box hiddenFrom="sm">{rule && <Text size="xs" c="dimmed">{targetOf(rule)}{rule.forwardToId && ` · ${filtersOf(rule)}`}</Text>}</Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {isPending ? <Skeleton height={20} w={160} /> : <Text size="sm" {...!rule?.forwardToId && { c: 'dimmed' }}>{rule ? targetOf(rule) : describeError(error)}</Text>}
      </Table.Td>
      <Table.Td visibleFrom="sm"><Text size="sm" c="dimmed">{rule?.id && filtersOf(rule)}</Text></Table.Td>
      <Table.Td>
        {rule?.id && <StatusBadge tone={rule.isActive ? 'good' : 'neutral'}>{rule.isActive ? texts.on : texts.off}</StatusBadge>}
      </Table.Td>
      <Table.Td ta="end">
        <ForMembers>
          <Button size="compact-sm" variant="default" aria-label={texts.editRule(address.address)} onClick={onEdit}>{texts.edit}</Button>
        </ForMembers>
      </Table.Td>
    </Table.Tr>
  )
}

const targetOf = ({ forwardToEmail }: ForwardingRule) => forwardToEmail ?? texts.none

function filtersOf({ filterSender, filterSubject }: ForwardingRule): string {
  const filters = [filterSender && texts.sender(filterSender), filterSubject && texts.subject(filterSubject)]
    .filter((text) => text !== null)
  return filters.length > 0 ? filters.join(', ') : texts.all
}
