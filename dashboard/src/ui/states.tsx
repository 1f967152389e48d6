import { Button, Center, Skeleton, Stack, Text } from '@mantine/core'
import { IconX } from './icons.tsx'
import type { ReactNode } from 'react'
import { PartError } from '../api/preload.ts'
import { texts } from '../texts.ts'
import { describeError } from './describe-error.ts'
import classes from './error-state.module.css'
import { IconButton } from './icon-button.tsx'

interface EmptyStateProps {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** In place of an empty list: says what to do next. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Center p="xl" mih={240}>
      <Stack align="center" gap="xs" maw={420} ta="center">
        {icon}
        <Text fw={600} component="h2" fz="md" m={0}>{title}</Text>
        {children && <Text c="dimmed" component="div" size="sm">{children}</Text>}
        {action}
      </Stack>
    </Center>
  )
}

/** In place of data that did not arrive. */
export function ErrorState({ error, retry, onClose }: { error: unknown, retry: () => void, onClose?: (() => void) | undefined }) {
  const needsReload = error instanceof PartError && error.needsReload
  return (
    <div className={classes['error']} role="alert">
      <div className={classes['title']}>{texts.errors.title}</div>
      {onClose && (
        <div className={classes['close']}><IconButton label={texts.close} onClick={onClose}><IconX size={16} aria-hidden /></IconButton></div>
      )}
      <Stack gap="sm" align="start">
        {describeError(error)}
        <Button size="compact-sm" variant="default" onClick={needsReload ? () => location.reload() : retry}>
          {needsReload ? texts.reload : texts.retry}
        </Button>
      </Stack>
    </div>
  )
}

/** In place of rows that are loading, of the same height. */
export const LoadingRows = ({ count = 6, height = 44 }: { count?: number, height?: number }) => (
  <Stack gap="xs" p="md" aria-busy="true" aria-label={texts.loading} role="status">
    {Array.from({ length: count }, (_, index) => <Skeleton key={index} height={height} />)}
  </Stack>
)
