import type { Webhook } from '@mayfly-mail/sdk'
import { Anchor, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Row } from '../../ui/rows.tsx'
import { WebhookStatus, WebhookSummary } from './webhook-summary.tsx'

export const WebhookRow = ({ webhook }: { webhook: Webhook }) => (
  <Row>
    <Group gap="xs">
      <Anchor size="sm" fw={600} renderRoot={(props) => <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} {...props} />}>
        <bdi>{webhook.url}</bdi>
      </Anchor>
      <WebhookStatus webhook={webhook} />
    </Group>
    <WebhookSummary webhook={webhook} />
  </Row>
)
