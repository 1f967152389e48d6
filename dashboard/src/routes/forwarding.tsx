import { Page } from '../ui/page.tsx'

export const Forwarding = () => <Page title="Forwarding">{null}</Page>
