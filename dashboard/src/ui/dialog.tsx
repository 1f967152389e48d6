import { Modal } from '@mantine/core'
import type { ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface DialogProps extends Pick<ModalProps, 'size' | 'closeOnClickOutside' | 'closeOnEscape'> {
  title: string
  children: ReactNode
  onClose: () => void
}

/** A dialog. Rendered while it is open; the focus returns to the element that opened it. */
export function Dialog({ title, children, ...props }: DialogProps) {
  useReturnFocus()
  return (
    <Modal opened title={title} centered returnFocus={false} closeButtonProps={{ 'aria-label': texts.close }} {...props}>
      {children}
    </Modal>
  )
}
