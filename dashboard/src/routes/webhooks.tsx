import { Page } from '../ui/page.tsx'

export const Webhooks = () => <Page title="Webhooks">{null}</Page>
