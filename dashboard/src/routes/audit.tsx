import { Page } from '../ui/page.tsx'

export const AuditLog = () => <Page title="AuditLog">{null}</Page>
