import { Button } from '@mantine/core'
import { IconPaperclip } from '../../ui/icons.tsx'
import type { SharedEmailSummary } from '../../api/generated/types.gen.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { readerTexts } from '../mail-reader/texts.ts'
import classes from './shared.module.css'
import { sharingTexts } from './texts.ts'

const texts = sharingTexts.shared

interface SharedListProps {
  emails: SharedEmailSummary[]
  openId: string | undefined
  onOpen: (id: string) => void
  /** Undefined at the end of the list. */
  onOlder: (() => void) | undefined
  isLoadingOlder: boolean
}

export function SharedList({ emails, openId, onOpen, onOlder, isLoadingOlder }: SharedListProps) {
  if (emails.length === 0) return <EmptyState title={texts.empty.title}>{texts.empty.hint}</EmptyState>
  return (
    <>
      <ul className={classes['rows']} aria-label={texts.list}>
        {emails.map(({ id, from, fromName, subject, preview, receivedAt, codes: [code], hasAttachments }) => (
          <li key={id} className={classes['row']} data-open={id === openId || undefined}>
            <button type="button" className={classes['open']} aria-current={id === openId ? 'true' : undefined} onClick={() => onOpen(id)}>
              <span className={classes['line']}>
                <bdi className={classes['from']}>{fromName || from || readerTexts.noSender}</bdi>
                {hasAttachments && <IconPaperclip size={14} aria-hidden />}
                <span className={classes['time']}><RelativeTime at={receivedAt} /></span>
              </span>
              <span className={classes['subject']} dir="auto">{subject || readerTexts.noSubject}</span>
              <span className={classes['preview']} dir="auto">{preview}</span>
            </button>
            {code && <CopyButton value={code} label={texts.copyCode(code)}>{code}</CopyButton>}
          </li>
        ))}
      </ul>
      {onOlder && <Button variant="subtle" size="compact-sm" m="sm" loading={isLoadingOlder} onClick={onOlder}>{texts.older}</Button>}
    </>
  )
}
