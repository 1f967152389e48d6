import { Page } from '../ui/page.tsx'

export const Send = () => <Page title="Send">{null}</Page>
