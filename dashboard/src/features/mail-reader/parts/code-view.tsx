import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { shownText } from '../html/text-turns.ts'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'

interface CodeProps {
  text: string
  /** The accessible name of the text. */
  label: string
  copyLabel: string
  /** Whether there is more than the text. */
  isCut?: boolean
  /** Colours the text that is shown. */
  draw?: (text: string) => ReactNode
}

/** A long text of a program, to be read and copied. */
export function CodeView({ text, label, copyLabel, isCut = false, draw }: CodeProps) {
  const shown = shownText(text)
  return (
    <>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text size="sm" c="dimmed">{(isCut || shown.length < text.length) && readerTexts.cutText(formatBytes(shown.length))}</Text>
        <CopyButton value={text} label={copyLabel} />
      </Group>
      <pre className={classes['source']} tabIndex={0} aria-label={label}>{draw ? draw(shown) : shown}</pre>
    </>
  )
}
