import { Group, Stack, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import classes from './copied-value.module.css'

interface ValueProps {
  /** A line above the value. */
  label: string
  value: string
  /** The accessible name of the button. */
  copyLabel: string
}

/** A text to be copied: a secret, a command, some lines of code. */
export const CopiedValue = ({ label, value, copyLabel }: ValueProps) => (
  <Stack gap={4}>
    <Text size="sm" fw={500}>{label}</Text>
    <Group wrap="nowrap" align="start" gap="xs" className={classes['value']}>
      <code className={classes['text']}>{value}</code>
      <CopyButton value={value} label={copyLabel} />
    </Group>
  </Stack>
)
