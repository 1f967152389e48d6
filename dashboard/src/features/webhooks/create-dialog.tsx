import { Dialog } from '../../ui/dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { webhookTexts as texts } from './texts.ts'
import { useCreateWebhook } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'

/** The form for a new webhook, then its secret. Closing it drops the secret. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateWebhook()
  if (create.data) return <SecretDialog secret={create.data.secret} onClose={onClose} />
  return (
    <Dialog title={texts.create} size="lg" onClose={onClose}>
      <WebhookForm
        submitLabel={texts.create} isBusy={create.isPending} error={create.error} onClose={onClose}
        onSubmit={(input) => create.mutate(input)}
      />
    </Dialog>
  )
}
