import { Badge, Group, Text } from '@mantine/core'
import { useAccount } from '../../api/account.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { planName } from '../../ui/plan-name.ts'
import { formatSeconds, RelativeTime } from '../../ui/relative-time.tsx'
import { roleName } from '../members/texts.ts'
import { LanguageChoice } from './language-choice.tsx'
import { accountTexts as texts } from './texts.ts'

/** The account, and what its plan includes. */
export function AccountFacts() {
  const { email, userEmail, role, plan, isAdmin, createdAt, maxAddressSeconds, hasApi, server } = useAccount()
  return (
    <Facts>
      <Fact name={texts.email}>
        <Group gap="xs"><bdi>{email}</bdi>{isAdmin && <Badge size="sm" variant="light" tt="none">{texts.admin}</Badge>}</Group>
      </Fact>
      {userEmail !== email && <Fact name={texts.signedInAs}><bdi>{userEmail}</bdi>, {roleName(role)}</Fact>}
      <Fact name={texts.since}><RelativeTime at={createdAt} /></Fact>
      <Fact name={texts.plan}>
        {planName(plan)} <Text span size="xs" c="dimmed">{texts.planHint}</Text>
      </Fact>
      <Fact name={texts.lifetime}>{formatSeconds(maxAddressSeconds)}</Fact>
      <Fact name={texts.api}>{texts.hasApi[`${hasApi}`]}</Fact>
      <Fact name={texts.retention}>{formatSeconds(server.retentionSeconds)}</Fact>
      <Fact name={texts.domain}>@{server.defaultDomain}</Fact>
      <Fact name={texts.smtp}>{server.smtpUrl}</Fact>
      <Fact name={texts.language.label}><LanguageChoice /></Fact>
    </Facts>
  )
}
