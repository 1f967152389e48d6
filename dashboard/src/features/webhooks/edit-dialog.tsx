import type { Webhook } from '@mayfly-mail/sdk'
import { Dialog } from '../../ui/dialog.tsx'
import { showDone } from '../../ui/notify.tsx'
import { webhookTexts as texts } from './texts.ts'
import { useUpdateWebhook } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook, onClose: () => void }) {
  const update = useUpdateWebhook({ showsOwnError: true })
  return (
    <Dialog title={texts.actions.edit} size="lg" onClose={onClose}>
      <WebhookForm
        webhook={webhook} submitLabel={texts.form.save} isBusy={update.isPending} error={update.error} onClose={onClose}
        onSubmit={(changes) => update.mutate({ id: webhook.id, changes }, {
          onSuccess() {
            showDone(texts.saved)
            onClose()
          },
        })}
      />
    </Dialog>
  )
}
