import type { Webhook } from '@mayfly-mail/sdk'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAccount } from '../../api/account.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { showDone } from '../../ui/notify.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { webhookTexts } from './texts.ts'
import { useDeleteWebhook, useRotateSecret, useTestWebhook, useUpdateWebhook } from './use-webhooks.ts'
import { isPaused } from './webhook-summary.tsx'

const texts = webhookTexts.actions
const EditDialog = lazyPart(async () => (await import('./edit-dialog.tsx')).EditWebhookDialog)

interface DialogProps {
  webhook: Webhook
  onClose: () => void
}

type Action = 'edit' | 'disable' | 'rotate' | 'delete'

/** The buttons of the page of a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { hasApi } = useAccount()
  const [open, setOpen] = useState<Action>()
  const test = useTestWebhook()
  const OpenDialog = open && dialogs[open]
  return (
    <>
      {hasApi && (
        <>
          <Button loading={test.isPending} onClick={() => test.mutate(webhook.id, { onSuccess: () => showDone(texts.testSent) })}>
            {texts.test}
          </Button>
          <Button variant="default" onClick={() => setOpen('edit')}>{texts.edit}</Button>
        </>
      )}
      {webhook.isActive || isPaused(webhook)
        ? <Button variant="default" onClick={() => setOpen('disable')}>{texts.disable}</Button>
        : hasApi && <EnableButton id={webhook.id} />}
      {hasApi && <Button variant="default" onClick={() => setOpen('rotate')}>{texts.rotate}</Button>}
      <Button variant="default" onClick={() => setOpen('delete')}>{texts.delete}</Button>
      {OpenDialog && <OpenDialog webhook={webhook} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function EnableButton({ id }: { id: string }) {
  const update = useUpdateWebhook()
  const enable = () => update.mutate({ id, changes: { isActive: true } }, { onSuccess: () => showDone(texts.enabled) })
  return <Button variant="default" loading={update.isPending} onClick={enable}>{texts.enable}</Button>
}

function DisableDialog({ webhook: { id }, onClose }: DialogProps) {
  const update = useUpdateWebhook()
  const { title, text, done } = webhookTexts.disabling
  return (
    <Confirm
      title={title} confirm={texts.disable} isBusy={update.isPending} onClose={onClose}
      onConfirm={() => update.mutate({ id, changes: { isActive: false } }, { onSuccess: () => showDone(done), onSettled: onClose })}
    >
      {text}
    </Confirm>
  )
}

function RotateDialog({ webhook: { id }, onClose }: DialogProps) {
  const rotate = useRotateSecret()
  const { title, text } = webhookTexts.rotating
  if (rotate.data) return <SecretDialog secret={rotate.data.secret} onClose={onClose} />
  return (
    <Confirm
      title={title} confirm={texts.rotate} isBusy={rotate.isPending} onClose={onClose}
      onConfirm={() => rotate.mutate(id, { onError: onClose })}
    >
      {text}
    </Confirm>
  )
}

function DeleteDialog({ webhook: { id }, onClose }: DialogProps) {
  const remove = useDeleteWebhook()
  const navigate = useNavigate()
  const { title, text, done } = webhookTexts.deleting
  return (
    <Confirm
      title={title} confirm={texts.delete} isBusy={remove.isPending} onClose={onClose}
      onConfirm={() => remove.mutate(id, {
        onError: onClose,
        onSuccess() {
          showDone(done)
          void navigate({ to: '/webhooks', replace: true })
        },
      })}
    >
      {text}
    </Confirm>
  )
}

const dialogs: Record<Action, (props: DialogProps) => ReactNode> = {
  edit: EditDialog, disable: DisableDialog, rotate: RotateDialog, delete: DeleteDialog,
}
