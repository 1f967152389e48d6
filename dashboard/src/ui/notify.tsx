import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { texts } from '../texts.ts'
import { describeError } from './describe-error.ts'

/** Says that something is done, with a way to undo it. @returns a function that hides it */
export function showDone(message: string, undo?: () => void): () => void {
  const id = notifications.show({
    withBorder: true,
    closeButtonProps: { 'aria-label': texts.close },
    autoClose: undo ? 8_000 : 3_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        {undo && <Button size="compact-sm" variant="light" onClick={() => { notifications.hide(id); undo() }}>{texts.undo}</Button>}
      </Group>
    ),
  })
  return () => { notifications.hide(id) }
}

export function showError(error: unknown) {
  notifications.show({
    withBorder: true, closeButtonProps: { 'aria-label': texts.close }, color: 'red', autoClose: 10_000, role: 'alert', message: describeError(error),
  })
}
