import type { ApiKey } from '@mayfly-mail/sdk'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useAccount } from '../../api/account.ts'
import { modeName } from '../../texts.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Row } from '../../ui/rows.tsx'
import { Tags } from '../../ui/tags.tsx'
import { keyTexts as texts } from './texts.ts'

/** The bounds of a key, each in a few words. */
function namesOf({ addressIds, aliasPrefix, domains, maxAddresses }: NonNullable<ApiKey['bounds']>): string[] {
  const { boundTexts } = texts
  return [
    ...addressIds ? [boundTexts.addressIds(addressIds.length)] : [],
    ...aliasPrefix === undefined ? [] : [`${aliasPrefix}*`],
    ...domains ? [boundTexts.domains(domains.join(', '))] : [],
    ...maxAddresses === undefined ? [] : [boundTexts.maxAddresses(maxAddresses)],
  ]
}

export function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey, onRevoke: () => void }) {
  const { id, name, mode, prefix, scopes, createdAt, lastUsedAt, dialect, bounds, expiresAt, createdByKeyId } = apiKey
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
      {bounds && <Tags label={texts.bounds} names={namesOf(bounds)} />}
      <Text size="xs" c="dimmed">
        {texts.created} <RelativeTime at={createdAt} />
        {' · '}
        {lastUsedAt ? <>{texts.lastUsed} <RelativeTime at={lastUsedAt} /></>           : texts.notUsed}
        {expiresAt && <>{' · '}{texts.ends} <RelativeTime at={expiresAt} /></>}
        {createdByKeyId && ` · ${texts.madeByKey}`}
      </Text>
    </Row>
  )
}
