import { Button } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { IconCheck, IconCopy } from './icons.tsx'
import { useState } from 'react'
import { texts } from '../texts.ts'
import { copyText } from './copy-text.ts'
import { IconButton } from './icon-button.tsx'

interface CopyProps {
  value: string
  /** The accessible name, such as `Copy code 482913`. */
  label: string
  /** A text beside the icon; without one the button is an icon alone. */
  children?: string
  /** Of a button with a text. */
  size?: 'compact-sm' | 'md'
  /** Of the icon alone, in pixels. */
  iconPx?: number
}

/** Copies a value to the clipboard, and shows for two seconds that it did. */
export function CopyButton({ value, label, children, size = 'compact-sm', iconPx = 28 }: CopyProps) {
  const [copied, setCopied] = useState(false)
  const { start } = useTimeout(() => setCopied(false), 2_000)
  const copy = async () => {
    setCopied(await copyText(value))
    start()
  }
  const icon = copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
  const title = copied ? texts.copied : label
  const onClick = () => void copy()
  return children
    ? (
        <Button
          size={size} fz={size === 'md' ? 20 : undefined} variant="light" rightSection={icon} ff="monospace"
          aria-label={label} title={title} onClick={onClick}
        >
          {children}
        </Button>
      )
    : <IconButton label={label} title={title} size={iconPx} onClick={onClick}>{icon}</IconButton>
}
