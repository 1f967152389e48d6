import { Box, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import classes from './page.module.css'
import { setPageTitle } from './window-title.ts'

interface PageProps {
  title: string
  /** A sentence about the page, below the title. */
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page with a title, for all pages but Mail, which fills the window. */
export function Page({ title, description, actions, children }: PageProps) {
  useTitle(title)
  return (
    <Box className={classes['page']}>
      <Group justify="space-between" align="start" mb="lg" gap="sm">
        <div>
          <Title order={1}>{title}</Title>
          {description && <Text c="dimmed" size="sm" mt={4} maw={640}>{description}</Text>}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  )
}

/** Sets the title of the window while a page is shown. */
export function useTitle(title: string) {
  useEffect(() => setPageTitle(title), [title])
}
