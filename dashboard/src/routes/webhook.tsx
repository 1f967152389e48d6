import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Deliveries } from '../features/webhooks/deliveries.tsx'
import { webhookTexts as texts } from '../features/webhooks/texts.ts'
import { useWebhook } from '../features/webhooks/use-webhooks.ts'
import { WebhookActions } from '../features/webhooks/webhook-actions.tsx'
import { WebhookStatus, WebhookSummary } from '../features/webhooks/webhook-summary.tsx'
import { ForMembers } from '../ui/for-members.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorState, LoadingRows } from '../ui/states.tsx'

export function Webhook() {
  const { webhookId } = useParams({ from: '/signed-in/webhooks/$webhookId' })
  return <WebhookPage key={webhookId} id={webhookId} />
}

function WebhookPage({ id }: { id: string }) {
  const { data: webhook, error, refetch } = useWebhook(id)
  if (!webhook) {
    return <Page title={texts.title}>{error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows />}</Page>
  }
  return (
    <Page title={webhook.url} actions={<ForMembers><WebhookActions webhook={webhook} /></ForMembers>}>
      <Stack gap="xl">
        <div>
          <WebhookStatus webhook={webhook} />
          <WebhookSummary webhook={webhook} />
        </div>
        <Deliveries webhookId={id} />
      </Stack>
    </Page>
  )
}
