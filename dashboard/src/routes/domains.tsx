import { Button } from '@mantine/core'
import type { Domain } from '@mayfly-mail/sdk'
import { IconPlus, IconWorld } from '../ui/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '../api/keys.ts'
import { mayfly } from '../api/session.ts'
import { AddDomain } from '../features/domains/add-domain.tsx'
import { DeleteDomain } from '../features/domains/delete-domain.tsx'
import { DomainItem } from '../features/domains/domain-item.tsx'
import classes from '../features/domains/domains.module.css'
import { domainTexts as texts } from '../features/domains/texts.ts'
import { ForMembers } from '../ui/for-members.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx'

/** One domain is open at a time, so that at most one is checked repeatedly. */
export function Domains() {
  const list = useQuery({ queryKey: keys.domains('list'), queryFn: ({ signal }) => mayfly.domains.list({ signal }) })
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<Domain>()
  const [openId, setOpenId] = useState<string | null>() // undefined until the list is there
  const domains = list.data
  if (openId === undefined && domains) setOpenId(domains.find(({ status }) => status === 'pending')?.id ?? null)
  const addButton = (
    <ForMembers>
      <Button leftSection={<IconPlus size={16} aria-hidden />} size="sm" onClick={() => setAdding(true)}>{texts.add}</Button>
    </ForMembers>
  )
  return (
    <Page title={texts.title} description={texts.description} actions={domains?.length ? addButton : undefined}>
      {list.isPending && <LoadingRows count={3} />}
      {list.isError && !domains && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {domains?.length === 0 && (
        <EmptyState icon={<IconWorld size={32} stroke={1.4} aria-hidden />} title={texts.empty} action={addButton}>
          {texts.emptyHint}
        </EmptyState>
      )}
      {domains !== undefined && domains.length > 0 && (
        <ul className={classes['list']}>
          {domains.map((domain) => (
            <DomainItem
              key={domain.id} domain={domain} isOpen={domain.id === openId} onDelete={() => setDeleted(domain)}
              onToggle={() => setOpenId(domain.id === openId ? null : domain.id)}
            />
          ))}
        </ul>
      )}
      {isAdding && <AddDomain onClose={() => setAdding(false)} onAdded={({ id }) => { setOpenId(id); setAdding(false) }} />}
      {deleted && <DeleteDomain domain={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  )
}
