import { Badge, Button, Group, Text } from '@mantine/core'
import type { ApiKey } from '../../api/generated/types.gen.ts'
import { useAccount } from '../../api/account.ts'
import { modeName } from '../../texts.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Row } from '../../ui/rows.tsx'
import { Tags } from '../../ui/tags.tsx'
import { keyTexts as texts } from './texts.ts'

export function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey, onRevoke: () => void }) {
  const { id, name, mode, prefix, scopes, createdAt, lastUsedAt, dialect } = apiKey
  const nameId = `key-${id}`
  const isOwner = useAccount().role === 'owner'
  return (
    <Row actions={isOwner && <Button size="xs" variant="default" onClick={onRevoke} aria-describedby={nameId}>{texts.revoke}</Button>}>
      <Group gap="xs">
        <Text fw={600} size="sm" id={nameId}><bdi>{name}</bdi></Text>
        <Badge size="sm" variant={mode === 'live' ? 'light' : 'default'} tt="none">{modeName(mode)}</Badge>
        {dialect === 'classic' && <Badge size="sm" variant="default" tt="none">{texts.classic}</Badge>}
        <Text size="xs" c="dimmed" ff={prefix ? 'monospace' : undefined}>{texts.prefix(prefix)}</Text>
      </Group>
      <Tags label={texts.scopes} names={scopes} />
      <Text size="xs" c="dimmed">
        {texts.created} <RelativeTime at={createdAt} />
        {' · '}
        {lastUsedAt ? <>{texts.lastUsed} <RelativeTime at={lastUsedAt} /></> : texts.notUsed}
      </Text>
    </Row>
  )
}
