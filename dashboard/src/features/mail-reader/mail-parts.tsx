import { Tabs } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import type { ReactNode } from 'react'
import { HeadersTable } from './headers-table.tsx'
import { HtmlPart } from './html-part.tsx'
import type { SanitisedMail } from './html/sanitise.ts'
import { SourcePart } from './source-part.tsx'
import { readerTexts } from './texts.ts'
import { TextPart } from './text-part.tsx'

interface PartsProps {
  email: Email
  /** Undefined without HTML, or when it is too costly. */
  mail: SanitisedMail | undefined
  isRemoteAllowed: boolean
  onAllowRemote: () => void
  /** Called before HTML is painted that would stop the page for seconds. */
  onTooMuch: () => void
}

const texts = readerTexts.tabs

/** The forms in which a mail is shown: its HTML, its text, its headers and its source. */
export function MailParts({ email, ...html }: PartsProps) {
  const parts: Record<string, [string, ReactNode]> = {
    ...email.bodyHtml && { html: [texts.html, <HtmlPart email={email} {...html} />] },
    text: [texts.text, <TextPart text={email.bodyText} />],
    headers: [texts.headers, <HeadersTable headers={email.headers} />],
    source: [texts.source, <SourcePart emailId={email.id} size={email.size} />],
  }
  return (
    <Tabs defaultValue={Object.keys(parts)[0]} keepMounted={false}>
      <Tabs.List aria-label={texts.label} mb="sm">
        {Object.entries(parts).map(([name, [title]]) => <Tabs.Tab key={name} value={name}>{title}</Tabs.Tab>)}
      </Tabs.List>
      {Object.entries(parts).map(([name, [, content]]) => <Tabs.Panel key={name} value={name}>{content}</Tabs.Panel>)}
    </Tabs>
  )
}
