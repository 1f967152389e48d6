import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { texts } from '../texts.ts'
import { EmptyState } from '../ui/states.tsx'

export const NotFound = () => (
  <EmptyState title={texts.notFound.title} action={<Button component={Link} to="/mail">{texts.notFound.action}</Button>} />
)
