import { Anchor, Button, Group, Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { useState } from 'react'
import { otherHostIn } from '../../../../server/mime/checks/link-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { hostOf, readLink } from './html/urls.ts'
import classes from './reader.module.css'
import { readerTexts as texts } from './texts.ts'

/** Shown at once: the likely call to action, and links that lead elsewhere than their text says, at most this many. */
const maxFirstLinks = 3

export const Codes = ({ codes }: Pick<Email, 'codes'>) => codes.length > 0 && (
  <section aria-label={texts.codes.title}>
    <Group gap="xs">
      {codes.map((code) => <CopyButton key={code} value={code} label={texts.codes.copy(code)} size="md">{code}</CopyButton>)}
    </Group>
  </section>
)

/** The links of a mail, each with the host that it leads to, against phishing. */
export function Links({ links }: Pick<Email, 'links'>) {
  const [isAll, setAll] = useState(false)
  if (links.length === 0) return null
  const first = links.filter(({ url, text }, index) => index === 0 || otherHostIn(text, hostOf(readLink(url) ?? ''))).slice(0, maxFirstLinks)
  const shown = isAll ? links : first
  return (
    <section aria-label={texts.links.title}>
      <ul className={classes['links']}>
        {shown.map((link, index) => <LinkRow key={index} {...link} />)}
      </ul>
      {shown.length < links.length &&
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>{texts.links.all(links.length)}</Button>}
    </section>
  )
}

function LinkRow({ url, text }: Email['links'][number]) {
  const link = readLink(url) ?? ''
  const host = hostOf(link)
  const other = otherHostIn(text, host)
  return (
    <li className={classes['link']}>
      <div className={classes['target']}>
        <Group gap="0 var(--mantine-spacing-xs)">
          <Text span fw={600} size="sm" title={host.includes('xn--') ? texts.links.punycode : undefined}>{host}</Text>
          <Text span size="sm"><bdi>{text === url ? '' : text}</bdi></Text>
        </Group>
        <Anchor href={link} target="_blank" rel="noopener noreferrer" size="xs" className={classes['url']}><bdi>{link}</bdi></Anchor>
        {other && <Text size="xs" className={classes['warning']}>{texts.links.otherHost(other)}</Text>}
      </div>
      <CopyButton value={link} label={texts.links.copy(link)} />
    </li>
  )
}
