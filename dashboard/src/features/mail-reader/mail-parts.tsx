import { Tabs } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import type { ReactNode } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { HtmlPart } from './html-part.tsx'
import classes from './reader.module.css'
import { readerTexts } from './texts.ts'
import { TextPart } from './text-part.tsx'
import type { ShownHtml } from './use-shown-html.ts'

interface PartsProps extends ShownHtml {
  email: Email
}

const texts = readerTexts.tabs

const loading = <LoadingRows count={3} />
const HtmlSourcePart = lazyPart(async () => (await import('./parts/html-source-part.tsx')).HtmlSourcePart, loading)
const HeadersPart = lazyPart(async () => (await import('./parts/headers-part.tsx')).HeadersPart, loading)
const StructurePart = lazyPart(async () => (await import('./parts/structure-part.tsx')).StructurePart, loading)
const ChecksPart = lazyPart(async () => (await import('./parts/checks-part.tsx')).ChecksPart, loading)
const JsonPart = lazyPart(async () => (await import('./parts/json-part.tsx')).JsonPart, loading)
const SourcePart = lazyPart(async () => (await import('./parts/source-part.tsx')).SourcePart, loading)

/** The forms in which a mail is shown, from what its reader sees to its source. */
export function MailParts({ email, ...html }: PartsProps) {
  const { id, bodyHtml, bodyText, headers, size } = email
  const parts: Record<string, [string, ReactNode]> = {
    ...bodyHtml && { preview: [texts.preview, <HtmlPart email={email} {...html} />] },
    text: [texts.text, <TextPart text={bodyText} />],
    ...bodyHtml && { html: [texts.html, <HtmlSourcePart html={bodyHtml} />] },
    headers: [texts.headers, <HeadersPart headers={headers} />],
    structure: [texts.structure, <StructurePart emailId={id} size={size} />],
    checks: [texts.checks, <ChecksPart email={email} />],
    json: [texts.json, <JsonPart email={email} />],
    source: [texts.source, <SourcePart emailId={id} size={size} />],
  }
  return (
    <Tabs defaultValue={Object.keys(parts)[0]} keepMounted={false} classNames={{ tab: classes['tab']! }}>
      <Tabs.List aria-label={texts.label} mb="sm">
        {Object.entries(parts).map(([name, [title]]) => <Tabs.Tab key={name} value={name}>{title}</Tabs.Tab>)}
      </Tabs.List>
      {Object.entries(parts).map(([name, [, content]]) => <Tabs.Panel key={name} value={name}>{content}</Tabs.Panel>)}
    </Tabs>
  )
}
