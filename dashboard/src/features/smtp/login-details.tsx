import { Alert, NativeSelect, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { SmtpLogin } from '@mayfly-mail/sdk'
import type { ReactNode } from 'react'
import { CopiedFact, Fact, Facts } from '../../ui/facts.tsx'
import { TextLines } from '../../ui/text-lines.tsx'
import { frameworks } from './frameworks.ts'
import { smtpTexts as texts } from './texts.ts'

interface DetailsProps {
  /** Without a password after the page that made the login was left. */
  login: Pick<SmtpLogin, 'username' | 'password' | 'host' | 'port' | 'security' | 'url'>
  isNew: boolean
  /** More rows. */
  children?: ReactNode
}

/** A login, and the settings of frameworks for it. */
export function LoginDetails({ login, isNew, children }: DetailsProps) {
  const { username, password, host, port, security, url } = login
  return (
    <Stack gap="lg">
      {isNew && <Alert color={password ? 'yellow' : 'red'} role="status">{password ? texts.once : texts.missing}</Alert>}
      <Facts isNarrow>
        <Value name="username" value={username} />
        {password ? <Value name="password" value={password} /> : <Fact name={texts.facts.password}>{texts.hidden}</Fact>}
        <Value name="host" value={host} />
        <Value name="port" value={String(port)} />
        <Fact name={texts.facts.security}>{texts.security[security] ?? security}</Fact>
        {url && <Value name="url" value={url} />}
        {children}
      </Facts>
      <FrameworkSettings login={login} />
    </Stack>
  )
}

const Value = ({ name, value }: { name: keyof typeof texts.copy, value: string }) =>
  <CopiedFact name={texts.facts[name]} value={value} copyLabel={texts.copy[name]} />

/** The settings of a framework that the user chooses. Without a password they have a placeholder. */
export function FrameworkSettings({ login: { password, ...login } }: Pick<DetailsProps, 'login'>) {
  const [stored, setStored] = useLocalStorage({ key: 'mayfly-framework', defaultValue: 'nodemailer', getInitialValueInEffect: false })
  const name = stored in frameworks ? stored : 'nodemailer'
  const { file, settings } = frameworks[name]!
  return (
    <section aria-labelledby="smtp-settings">
      <Text component="h3" id="smtp-settings" fw={600} size="sm" mt={0} mb="xs">{texts.settings.title}</Text>
      <NativeSelect
        label={texts.settings.framework} data={Object.keys(frameworks)} value={name} maw={360} mb="xs"
        onChange={({ currentTarget }) => setStored(currentTarget.value)}
      />
      <Text size="xs" c="dimmed" mb={4}>
        {texts.settings.file(file)}{!password && ` ${texts.settings.placeholderHint}`}
      </Text>
      <TextLines text={settings({ ...login, password: password ?? texts.settings.placeholder })} label={texts.settings.copy} />
    </section>
  )
}
