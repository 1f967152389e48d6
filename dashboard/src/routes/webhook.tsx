import { Page } from '../ui/page.tsx'

export const Webhook = () => <Page title="Webhook">{null}</Page>
