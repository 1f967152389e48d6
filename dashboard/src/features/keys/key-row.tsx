import { Badge, Button, Group, Text } from '@mantine/core'
import type { ApiKey } from '../../api/generated/types.gen.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Row } from '../../ui/rows.tsx'
import { keyTexts as texts } from './texts.ts'

export function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey, onRevoke: () => void }) {
  const { id, name, mode, prefix, scopes, createdAt, lastUsedAt } = apiKey
  const nameId = `key-${id}`
  return (
    <Row actions={<Button size="xs" variant="default" onClick={onRevoke} aria-describedby={nameId}>{texts.revoke}</Button>}>
      <Group gap="xs">
        <Text fw={600} size="sm" id={nameId}><bdi>{name}</bdi></Text>
        <Badge size="sm" variant={mode === 'live' ? 'light' : 'default'} tt="none">{texts.mode[mode]}</Badge>
        <Text size="xs" c="dimmed" ff={prefix ? 'monospace' : undefined}>{texts.prefix(prefix)}</Text>
      </Group>
      <Group component="ul" gap={4} my={6} p={0} aria-label={texts.scopes}>
        {scopes.map((scope) => <Badge key={scope} component="li" display="inline-flex" size="sm" variant="default" tt="none" fw={500}>{scope}</Badge>)}
      </Group>
      <Text size="xs" c="dimmed">
        {texts.created} <RelativeTime at={createdAt} /> · {lastUsedAt ? <>{texts.lastUsed} <RelativeTime at={lastUsedAt} /></> : texts.notUsed}
      </Text>
    </Row>
  )
}
