import { Page } from '../ui/page.tsx'

export const Admin = () => <Page title="Admin">{null}</Page>
