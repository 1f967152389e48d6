import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { describeError } from './describe-error.ts'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  title: string
  children: ReactNode
  /** The label of the button that sends the form. */
  submit: string
  isBusy: boolean
  /** The error of the last attempt, shown above the buttons. */
  error: unknown
  /** Red for a change that cannot be undone. */
  isDangerous?: boolean
  canSubmit?: boolean
  onSubmit: () => void
  onClose: () => void
}

/** A form in a dialog, with the error of the server in it. Rendered while it is open. */
export const FormDialog = (
  { title, children, submit, isBusy, error, isDangerous = false, canSubmit = true, onSubmit, onClose }: FormDialogProps,
) => (
  <Dialog title={title} onClose={onClose}>
    <form onSubmit={(event) => { event.preventDefault(); if (canSubmit && !isBusy) onSubmit() }}>
      <Stack>
        {children}
        {error !== null && error !== undefined && <Text c="red" size="sm" role="alert">{describeError(error)}</Text>}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" loading={isBusy} disabled={!canSubmit} {...isDangerous && { color: 'red.9' }}>{submit}</Button>
        </Group>
      </Stack>
    </form>
  </Dialog>
)
