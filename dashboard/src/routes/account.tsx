import { Stack, Title } from '@mantine/core'
import { useAccount } from '../api/account.ts'
import { AccountFacts } from '../features/account/account-facts.tsx'
import { Sessions } from '../features/account/sessions.tsx'
import { accountTexts as texts } from '../features/account/texts.ts'
import { CopiedValue } from '../ui/copied-value.tsx'
import { Page } from '../ui/page.tsx'

export function AccountPage() {
  const { role } = useAccount()
  return (
    <Page title={texts.title}>
      <Stack gap="xl">
        <AccountFacts />
        <Sessions />
        {role === 'owner' && <Deletion />}
      </Stack>
    </Page>
  )
}

function Deletion() {
  const { email } = useAccount()
  return (
    <section>
      <Title order={2} mb={4}>{texts.deletion.title}</Title>
      <CopiedValue label={texts.deletion.text} value={`mayfly account delete ${email}`} copyLabel={texts.deletion.copy} />
    </section>
  )
}
