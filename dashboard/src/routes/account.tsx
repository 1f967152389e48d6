import { Page } from '../ui/page.tsx'

export const AccountPage = () => <Page title="AccountPage">{null}</Page>
