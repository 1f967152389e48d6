import type { ApiKey } from '@mayfly-mail/sdk'
import { Button, Text } from '@mantine/core'
import { IconKey } from '../ui/icons.tsx'
import { useState } from 'react'
import { useAccount } from '../api/account.ts'
import { KeyRow } from '../features/keys/key-row.tsx'
import { keyTexts as texts } from '../features/keys/texts.ts'
import { useKeys, useRevokeKey } from '../features/keys/use-keys.ts'
import { Confirm } from '../ui/confirm.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { NeedsApi } from '../ui/needs-api.tsx'
import { Page } from '../ui/page.tsx'
import { Rows } from '../ui/rows.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx'

const CreateKeyDialog = lazyPart(async () => (await import('../features/keys/create-dialog.tsx')).CreateKeyDialog)

export function Keys() {
  const { hasApi, role } = useAccount()
  const [isCreating, setIsCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey>()
  return (
    <Page
      title={texts.title} description={texts.description}
      actions={hasApi && role === 'owner' && <Button onClick={() => setIsCreating(true)}>{texts.create}</Button>}
    >
      {role !== 'owner' && <Text size="sm" c="dimmed" mb="md" role="note">{texts.forOwners}</Text>}
      {!hasApi && <NeedsApi {...texts.needsPlan} />}
      <KeyList isHiddenWhenEmpty={!hasApi} onRevoke={setRevoked} />
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  )
}

/** @param props.isHiddenWhenEmpty an account whose plan has no API may have keys of an earlier plan, to be revoked */
function KeyList({ isHiddenWhenEmpty, onRevoke }: { isHiddenWhenEmpty: boolean, onRevoke: (apiKey: ApiKey) => void }) {
  const { data, error, refetch } = useKeys()
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data?.length && isHiddenWhenEmpty) return null
  if (!data) return <LoadingRows height={76} count={3} />
  if (data.length === 0) {
    return <EmptyState icon={<IconKey size={32} stroke={1.4} aria-hidden />} title={texts.empty.title}>{texts.empty.text}</EmptyState>
  }
  return (
    <Rows label={texts.list}>
      {data.map((apiKey) => <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => onRevoke(apiKey)} />)}
    </Rows>
  )
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey, onClose: () => void }) {
  const revoke = useRevokeKey()
  return (
    <Confirm
      title={texts.revoking.title(apiKey.name)} confirm={texts.revoke} isBusy={revoke.isPending} onClose={onClose}
      onConfirm={() => revoke.mutate(apiKey, { onSettled: onClose })}
    >
      {texts.revoking.text}
    </Confirm>
  )
}
