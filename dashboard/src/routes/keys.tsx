import { Page } from '../ui/page.tsx'

export const Keys = () => <Page title="Keys">{null}</Page>
