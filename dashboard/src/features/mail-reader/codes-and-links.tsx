import { Anchor, Button, Group, Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { formatValidity } from './format.ts'
import { readLink } from './html/urls.ts'
import classes from './reader.module.css'
import { readerTexts as texts } from './texts.ts'

/** Shown at once: the likely call to action, and links that lead elsewhere than their text says, at most this many. */
const maxFirstLinks = 3

type Warned = Pick<Email, 'warnings'>

export const Codes = ({ codeDetails, receivedAt }: Pick<Email, 'codeDetails'> & { receivedAt: Date | string }) => codeDetails.length > 0 && (
  <section aria-label={texts.codes.title}>
    <Group gap="xs">
      {codeDetails.map(({ code, expiresInSeconds, boundTo }) => (
        <Group key={code} gap={6}>
          <CopyButton value={code} label={texts.codes.copy(code)} size="md">{code}</CopyButton>
          {expiresInSeconds !== null && <Validity seconds={expiresInSeconds} since={new Date(receivedAt)} />}
          {boundTo && <Text span size="xs" c="dimmed">{texts.codes.boundTo(boundTo)}</Text>}
        </Group>
      ))}
    </Group>
  </section>
)

/** How long a code is valid, until that is over. */
function Validity({ seconds, since }: { seconds: number, since: Date }) {
  const isOver = useNow(10) > since.getTime() + seconds * 1_000
  return <Text span size="xs" c="dimmed">{isOver ? texts.codes.expired : texts.codes.valid(formatValidity(seconds))}</Text>
}

/** The warnings of a mail, beside those of links, which stand there. */
export function Warnings({ warnings }: Warned) {
  const sentences = warnings.flatMap(({ type }) => texts.warnings.types[type] ?? [])
  return sentences.length > 0 && (
    <ul aria-label={texts.warnings.title} className={classes['checks']}>
      {sentences.map((sentence) => <li key={sentence}><Text size="xs" className={classes['warning']}>{sentence}</Text></li>)}
    </ul>
  )
}

/** The links of a mail, each with the host that it leads to, against phishing. */
export function Links({ links, warnings }: Pick<Email, 'links'> & Warned) {
  const [isAll, setAll] = useState(false)
  if (links.length === 0) return null
  const namedHosts = new Map(warnings.filter(({ type }) => type === 'otherHost').map(({ url, namedHost }) => [url, namedHost]))
  const first = links.filter(({ url }, index) => index === 0 || namedHosts.has(url)).slice(0, maxFirstLinks)
  const shown = isAll ? links : first
  return (
    <section aria-label={texts.links.title}>
      <ul className={classes['links']}>
        {shown.map((link, index) => <LinkRow key={index} {...link} namedHost={namedHosts.get(link.url)} />)}
      </ul>
      {shown.length < links.length &&
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>{texts.links.all(links.length)}</Button>}
    </section>
  )
}

function LinkRow({ url, host, text, namedHost }: Email['links'][number] & { namedHost: string | null | undefined }) {
  const link = readLink(url) ?? ''
  return (
    <li className={classes['link']}>
      <div className={classes['target']}>
        <Group gap="0 var(--mantine-spacing-xs)">
          <Text span fw={600} size="sm" title={host.includes('xn--') ? texts.links.punycode : undefined}>{host}</Text>
          <Text span size="sm"><bdi>{text === url ? '' : text}</bdi></Text>
        </Group>
        <Anchor href={link} target="_blank" rel="noopener noreferrer" size="xs" className={classes['url']}><bdi>{link}</bdi></Anchor>
        {namedHost && <Text size="xs" className={classes['warning']}>{texts.links.otherHost(namedHost)}</Text>}
      </div>
      <CopyButton value={link} label={texts.links.copy(link)} />
    </li>
  )
}
