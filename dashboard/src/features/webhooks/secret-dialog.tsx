import { Alert, Button, Group, Stack } from '@mantine/core'
import { CopiedValue } from '../../ui/copied-value.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { webhookTexts } from './texts.ts'

const texts = webhookTexts.secret

/** Shows the secret of a webhook, once. @param props.secret undefined when the answer with it was lost */
export const SecretDialog = ({ secret, onClose }: { secret: string | undefined, onClose: () => void }) => (
  <Dialog title={texts.title} size="lg" closeOnClickOutside={false} onClose={onClose}>
    <Stack>
      <Alert color={secret ? 'yellow' : 'red'} role="status">{secret ? texts.once : texts.missing}</Alert>
      {secret && <CopiedValue label={texts.label} value={secret} copyLabel={texts.copy} />}
      <Group justify="end"><Button onClick={onClose} data-autofocus>{texts.done}</Button></Group>
    </Stack>
  </Dialog>
)
