import { Page } from '../ui/page.tsx'

export const AnalyticsPage = () => <Page title="AnalyticsPage">{null}</Page>
