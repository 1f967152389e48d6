import { Page } from '../ui/page.tsx'

export const Domains = () => <Page title="Domains">{null}</Page>
