import type { Address } from '@mayfly-mail/sdk'
import { Anchor, Tabs, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount } from '../../api/account.ts'
import { baseUrl } from '../../api/base.ts'
import { CopiedFact, Facts } from '../../ui/facts.tsx'
import { storedValue } from '../../ui/stored-value.ts'
import { TextLines } from '../../ui/text-lines.tsx'
import { FrameworkSettings } from '../smtp/login-details.tsx'
import { curlLine, playwrightLines, powerShellLines, pytestLines, pythonLines, sdkLines } from './example-lines.ts'
import { formTexts } from './form-texts.ts'

const texts = formTexts.firstSteps
const chosenWay = storedValue('mayfly-way', 'curl', (value) => typeof value === 'string')

/** How programs send mail to an address and read it, with its values filled in. */
export function WaysTabs({ address: { id, address } }: { address: Address }) {
  const { server, hasApi } = useAccount()
  const stored = chosenWay.use()
  const lines = (hint: string, text: string) => <><Text size="sm" mb="xs">{hint}</Text><TextLines text={text} label={texts.copy} /></>
  const withKey = (hint: string, text: string) => hasApi
    ? (
        <>
          <Text size="sm" mb="xs">{hint} <Anchor component={Link} to="/keys" size="sm" underline="always">{texts.keys}</Anchor></Text>
          <TextLines text={text} label={texts.copy} />
        </>
      )
    : <Text size="sm">{texts.noApi}</Text>
  const ways: Record<string, ReactNode> = {
    'SMTP': <SmtpSettings smtpUrl={server.smtpUrl} address={address} />,
    'curl': lines(texts.terminal, curlLine(server.smtpUrl, address)),
    'PowerShell': lines(texts.terminal, powerShellLines(server.smtpUrl, address)),
    'Frameworks': (
      <>
        <Text size="sm" mb="xs">
          {texts.frameworks} <Anchor component={Link} to={`/mail/${id}/smtp`} size="sm" underline="always">{texts.app}</Anchor>
        </Text>
        <FrameworkSettings login={{ username: address, ...server.smtpLogin }} />
      </>
    ),
    'TypeScript': withKey(texts.sdk, sdkLines(baseUrl, id)),
    'Python': withKey(texts.python, pythonLines(baseUrl, id)),
    'Playwright': withKey(texts.sdk, playwrightLines(baseUrl)),
    'pytest': withKey(texts.python, pytestLines(baseUrl)),
  }
  return (
    <Tabs value={stored in ways ? stored : 'curl'} onChange={(way) => chosenWay.write(way ?? 'curl')} keepMounted={false}>
      <Tabs.List aria-label={texts.tabs} mb="sm">
        {Object.keys(ways).map((name) => <Tabs.Tab key={name} value={name} px="xs">{name}</Tabs.Tab>)}
      </Tabs.List>
      {Object.entries(ways).map(([name, content]) => <Tabs.Panel key={name} value={name}>{content}</Tabs.Panel>)}
    </Tabs>
  )
}

function SmtpSettings({ smtpUrl, address }: { smtpUrl: string, address: string }) {
  const { hostname, port } = new URL(smtpUrl.replace(/^smtps?:/, 'http:')) // for other protocols, no browser reads the parts
  const settings = { host: hostname, port: port || '25', to: address }
  return (
    <>
      <Text size="sm" mb="xs">{texts.smtp}</Text>
      <Facts isNarrow>
        {Object.entries(texts.settings).map(([name, label]) => (
          <CopiedFact key={name} name={label} value={settings[name as keyof typeof settings]} copyLabel={texts.copySetting(label)} />
        ))}
      </Facts>
    </>
  )
}
