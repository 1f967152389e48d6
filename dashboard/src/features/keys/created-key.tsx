import type { ApiKeyCreated, Scope } from '@mayfly-mail/sdk'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { baseUrl } from '../../api/base.ts'
import { CopiedValue } from '../../ui/copied-value.tsx'
import { keyTexts } from './texts.ts'

const texts = keyTexts.shown

/** A request that each scope allows, in the order in which they are preferred. */
const firstCalls: Record<Scope, { method?: string, path: string, code: string }> = {
  'emails:read': { path: '/addresses', code: 'await mayfly.addresses.list()' },
  'emails:write': { method: 'POST', path: '/addresses', code: 'await mayfly.addresses.create()' },
  'analytics:read': { path: '/analytics', code: 'await mayfly.analytics.get()' },
  'domains:read': { path: '/domains', code: 'await mayfly.domains.list()' },
  'domains:manage': { method: 'POST', path: '/domains', code: "await mayfly.domains.create({ domain: 'mail.example.com' })" },
  'webhooks:manage': { path: '/webhooks', code: 'await mayfly.webhooks.list()' },
  'keys:manage': { path: '/api-keys', code: 'await mayfly.apiKeys.list()' },
  'forwarding:manage': { path: '/forwarding-addresses', code: 'await mayfly.forwardingAddresses.list()' },
}

export function CreatedKey({ created, onClose }: { created: ApiKeyCreated, onClose: () => void }) {
  const { key, scopes } = created
  if (!key) return <Alert color="red" role="alert">{texts.missing}</Alert>
  const scope = (Object.keys(firstCalls) as Scope[]).find((name) => scopes.includes(name)) ?? 'emails:read'
  return (
    <Stack>
      <Alert color="yellow" role="status">{texts.once}</Alert>
      <CopiedValue label={texts.key} value={key} copyLabel={texts.copyKey} />
      <CopiedValue label={texts.curl} value={curlOf(key, firstCalls[scope])} copyLabel={texts.copyCurl} />
      <CopiedValue label={texts.sdk} value={sdkOf(key, firstCalls[scope])} copyLabel={texts.copySdk} />
      <Group justify="end"><Button onClick={onClose} data-autofocus>{texts.done}</Button></Group>
    </Stack>
  )
}

const curlOf = (key: string, { method, path }: { method?: string, path: string }) =>
  `curl ${method ? `-X ${method} ` : ''}-H "Authorization: Bearer ${key}" ${baseUrl}/api/v1${path}`

const sdkOf = (key: string, { code }: { code: string }) => [
  "import { Mayfly } from '@mayfly-mail/sdk'",
  `const mayfly = new Mayfly({ apiKey: '${key}', baseUrl: '${baseUrl}' })`,
  `console.log(${code})`,
].join('\n')
