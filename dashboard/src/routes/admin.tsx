import { Button, Tabs } from '@mantine/core'
import { IconLock } from '../ui/icons.tsx'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../api/account.ts'
import { AccountList } from '../features/admin/account-list.tsx'
import { CapturedList } from '../features/admin/captured-list.tsx'
import { adminTexts as texts } from '../features/admin/texts.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'

export function Admin() {
  const { isAdmin } = useAccount()
  if (!isAdmin) {
    return (
      <Page title={texts.title}>
        <EmptyState
          icon={<IconLock size={32} stroke={1.4} aria-hidden />} title={texts.forbidden}
          action={<Button component={Link} to="/mail" size="sm" variant="default">{texts.toMail}</Button>}
        >
          {texts.forbiddenHint}
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title={texts.title} description={texts.description}>
      <Tabs defaultValue="accounts" keepMounted={false}>
        <Tabs.List mb="md" aria-label={texts.title}>
          <Tabs.Tab value="accounts">{texts.tabs.accounts}</Tabs.Tab>
          <Tabs.Tab value="captured">{texts.tabs.captured}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accounts"><AccountList /></Tabs.Panel>
        <Tabs.Panel value="captured"><CapturedList /></Tabs.Panel>
      </Tabs>
    </Page>
  )
}
