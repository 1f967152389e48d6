import type { Address } from '@mayfly-mail/sdk'
import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../../api/account.ts'
import { baseUrl } from '../../api/base.ts'
import { TextLines } from '../../ui/text-lines.tsx'
import { curlLine, sdkLines } from './example-lines.ts'
import classes from './first-steps.module.css'
import { addressTexts } from './texts.ts'

const texts = addressTexts.firstSteps

/** In place of the mail of an address that has none: how to send one, and how a test waits for it. */
export function FirstSteps({ address }: { address: Address }) {
  const { server, hasApi } = useAccount()
  const send = curlLine(server.smtpUrl, address.address)
  const wait = sdkLines(baseUrl, address.id)
  return (
    <div className={classes['steps']}>
      <div>
        <Title order={2} mb={4}>{texts.title}</Title>
        <Text size="sm" c="dimmed">{texts.hint}</Text>
      </div>
      <section>
        <Title order={3} mb={4}>{texts.send}</Title>
        <Text size="sm" mb="xs">{texts.sendHint}</Text>
        <TextLines text={send} label={texts.copySend} />
        <Text size="sm" mt="xs">
          {texts.appHint}{' '}
          <Anchor component={Link} to={`/mail/${address.id}/smtp`} size="sm" underline="always">{texts.app}</Anchor>
        </Text>
      </section>
      <section>
        <Title order={3} mb={4}>{texts.wait}</Title>
        {hasApi
          ? (
              <>
                <Text size="sm" mb="xs">{texts.waitHint} <Anchor component={Link} to="/keys" size="sm" underline="always">{texts.keys}</Anchor></Text>
                <TextLines text={wait} label={texts.copyWait} />
              </>
            )
          : <Text size="sm">{texts.waitNoApi}</Text>}
      </section>
    </div>
  )
}
