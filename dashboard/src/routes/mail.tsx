import { Page } from '../ui/page.tsx'

export const Mail = () => <Page title="Mail">{null}</Page>
