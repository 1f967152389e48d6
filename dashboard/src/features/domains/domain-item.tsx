import { ActionIcon, Box, Collapse, Group, Text, Title, UnstyledButton } from '@mantine/core'
import type { Domain } from '@mayfly-mail/sdk'
import { IconChevronDown, IconTrash } from '../../ui/icons.tsx'
import { useId } from 'react'
import { ForMembers } from '../../ui/for-members.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './domains.module.css'
import { DnsRecords } from './dns-records.tsx'
import { domainTexts as texts } from './texts.ts'

interface DomainItemProps {
  domain: Domain
  isOpen: boolean
  onToggle: () => void
  onDelete: () => void
}

/** A domain, with its records while it is open. */
export function DomainItem({ domain, isOpen, onToggle, onDelete }: DomainItemProps) {
  const id = useId()
  const isVerified = domain.status === 'verified'
  const state = <StatusBadge tone={isVerified ? 'good' : 'waiting'}>{isVerified ? texts.status.verified : texts.status.pending}</StatusBadge>
  return (
    <li className={classes['item']}>
      <Group wrap="nowrap" gap="sm" px="md" py="sm">
        <Box flex={1} miw={0}>
          <Title order={2} fz="sm" fw={600}>
            <UnstyledButton
              className={classes['toggle']} fz="inherit" fw="inherit" onClick={onToggle}
              aria-expanded={isOpen} aria-controls={id} aria-label={texts.showRecords(domain.domain)}
            >
              <IconChevronDown size={18} className={classes['chevron']} data-open={isOpen || undefined} aria-hidden />
              <bdi>{domain.domain}</bdi>
            </UnstyledButton>
          </Title>
          <Box hiddenFrom="sm" className={classes['state']}>{state}</Box>
        </Box>
        <Text size="sm" c="dimmed" visibleFrom="sm">{texts.added} <RelativeTime at={domain.createdAt} /></Text>
        <Box visibleFrom="sm">{state}</Box>
        <ForMembers>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.remove(domain.domain)} title={texts.remove(domain.domain)} onClick={onDelete}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </ForMembers>
      </Group>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <div className={classes['details']}><ForMembers><DnsRecords domain={domain} /></ForMembers></div>}
      </Collapse>
    </li>
  )
}
