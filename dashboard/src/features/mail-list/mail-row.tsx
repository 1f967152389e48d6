import { IconCopy, IconExternalLink, IconPaperclip, IconStar, IconStarFilled } from '../../ui/icons.tsx'
import { memo } from 'react'
import type { MouseEvent } from 'react'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './mail-row.module.css'
import { mailListTexts as texts } from './texts.ts'
import type { MailRowData } from './use-mails.ts'

export interface RowHandlers {
  open(email: MailRowData): void
  toggleStar(email: MailRowData): void
  copyCode(code: string): void
  openLink(id: string): void
  restore(id: string): void
  remove(id: string): void
  toggleRead(id: string): void
  toggleSelected(id: string, isRange: boolean): void
}

interface MailRowProps {
  email: MailRowData
  /** Path of the mail's page. */
  href: string
  /** Pixels from the top of the list. */
  top: number
  height: number
  position: number
  /** The number of all rows; -1 while it is not known. */
  setSize: number
  /** Whether the buttons that change the mail are there. */
  mayChange: boolean
  isSelected: boolean
  /** Shown in the reader. */
  isOpen: boolean
  /** The row that the keys act on, which the Tab key stops at. */
  isCurrent: boolean
  showsAddress: boolean
  /** Stays the same, so that a row is drawn again only when its mail changes. */
  handlers: RowHandlers
}

/** A mail in the list: of few plain elements, since a scrolled list draws many of them. */
export const MailRow = memo(function MailRow(props: MailRowProps) {
  const { email, handlers, isCurrent, isSelected, isOpen } = props
  const subject = email.subject || texts.noSubject
  const tabIndex = isCurrent ? 0 : -1
  const code = email.type === 'sent' ? undefined : email.codes[0]
  const linkHost = code === undefined && email.type !== 'sent' ? email.linkHost : null
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return // the browser opens a tab or window
    event.preventDefault()
    handlers.open(email)
  }
  return (
    <li
      className={classes['row']} style={{ height: props.height, transform: `translateY(${props.top}px)` }}
      aria-setsize={props.setSize} aria-posinset={props.position}
      data-selected={isSelected || undefined} data-open={isOpen || undefined} data-unread={!email.isRead || undefined}
    >
      <label className={classes['select']}>
        <input
          type="checkbox" checked={isSelected} tabIndex={tabIndex} aria-label={texts.select(subject)}
          onChange={({ nativeEvent }) => handlers.toggleSelected(email.id, (nativeEvent as unknown as MouseEvent).shiftKey)}
        />
      </label>
      <a
        className={classes['link']} href={props.href} tabIndex={tabIndex} data-mail={email.id} aria-current={isOpen ? 'true' : undefined}
        onClick={open}
      >
        <span className={classes['line']}>
          {!email.isRead && <span className={classes['dot']} role="img" aria-label={texts.unread} />}
          <span className={classes['from']}><bdi>{nameOf(email)}</bdi></span>
          {email.status && <span className={classes['badge']}>{texts.status[email.status] ?? email.status}</span>}
          {email.hasAttachments && <IconPaperclip size={14} role="img" aria-label={texts.attachments} />}
          <span className={classes['time']}><RelativeTime at={email.receivedAt} /></span>
        </span>
        <span className={classes['second']}>
          <span className={classes['subject']} dir="auto">{subject}</span>
          <span className={classes['preview']} dir="auto">{email.preview}</span>
          {props.showsAddress && <span className={classes['address']} title={ownAddress(email)}>{ownAddress(email).split('@')[0]}</span>}
        </span>
      </a>
      {email.isDeleted && props.mayChange && (
        <button type="button" className={classes['restore']} tabIndex={tabIndex} onClick={() => handlers.restore(email.id)}>
          {texts.actions.restore}
        </button>
      )}
      {code && !email.isDeleted && (
        <button
          type="button" className={classes['code']} tabIndex={tabIndex} aria-label={texts.copyCode(code)} title={texts.copyCode(code)}
          onClick={() => handlers.copyCode(code)}
        >
          <span className={classes['shortened']}>{code}</span><IconCopy size={14} aria-hidden />
        </button>
      )}
      {linkHost && !email.isDeleted && (
        <button
          type="button" className={classes['host']} tabIndex={tabIndex} aria-label={texts.openLink(linkHost)} title={texts.openLink(linkHost)}
          onClick={() => handlers.openLink(email.id)}
        >
          <IconExternalLink size={14} aria-hidden /><span className={classes['shortened']}><bdi>{linkHost}</bdi></span>
        </button>
      )}
      <button
        type="button" className={classes['star']} tabIndex={tabIndex} data-starred={email.isStarred || undefined} disabled={!props.mayChange}
        aria-label={email.isStarred ? texts.unstar(subject) : texts.star(subject)} aria-pressed={email.isStarred}
        onClick={() => handlers.toggleStar(email)}
      >
        {email.isStarred ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
      </button>
    </li>
  )
})

const nameOf = ({ type, to, fromName, from }: MailRowData): string => type === 'sent' ? texts.to(to) : fromName || from || texts.noSender

const ownAddress = ({ type, to, from }: MailRowData): string => type === 'sent' ? from : to
