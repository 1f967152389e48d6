import { Button } from '@mantine/core'
import { IconWebhook } from '../ui/icons.tsx'
import { useState } from 'react'
import { useAccount, useMayChange } from '../api/account.ts'
import { webhookTexts as texts } from '../features/webhooks/texts.ts'
import { useWebhooks } from '../features/webhooks/use-webhooks.ts'
import { WebhookRow } from '../features/webhooks/webhook-row.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { NeedsApi } from '../ui/needs-api.tsx'
import { Page } from '../ui/page.tsx'
import { Rows } from '../ui/rows.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx'

const CreateWebhookDialog = lazyPart(async () => (await import('../features/webhooks/create-dialog.tsx')).CreateWebhookDialog)

export function Webhooks() {
  const { hasApi } = useAccount()
  const mayChange = useMayChange()
  const [isCreating, setIsCreating] = useState(false)
  return (
    <Page
      title={texts.title} description={texts.description}
      actions={hasApi && mayChange && <Button onClick={() => setIsCreating(true)}>{texts.create}</Button>}
    >
      {!hasApi && <NeedsApi {...texts.needsPlan} />}
      <WebhookList isHiddenWhenEmpty={!hasApi} />
      {isCreating && <CreateWebhookDialog onClose={() => setIsCreating(false)} />}
    </Page>
  )
}

/** @param props.isHiddenWhenEmpty an account whose plan has no webhooks may have paused ones of an earlier plan */
function WebhookList({ isHiddenWhenEmpty }: { isHiddenWhenEmpty: boolean }) {
  const { data, error, refetch } = useWebhooks()
  if (!data?.length && isHiddenWhenEmpty) return null
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingRows height={76} count={3} />
  if (data.length === 0) {
    return <EmptyState icon={<IconWebhook size={32} stroke={1.4} aria-hidden />} title={texts.empty.title}>{texts.empty.text}</EmptyState>
  }
  return <Rows label={texts.list}>{data.map((webhook) => <WebhookRow key={webhook.id} webhook={webhook} />)}</Rows>
}
