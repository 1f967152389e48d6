import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'

export const NotFound = () => (
  <Page title={texts.notFound.title}><Button component={Link} to="/mail">{texts.notFound.action}</Button></Page>
)
