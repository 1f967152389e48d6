import { ActionIcon, Group } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import {
  IconArrowBackUp, IconArrowLeft, IconChevronDown, IconChevronUp, IconDownload, IconMail, IconMailOpened, IconPrinter,
  IconStar, IconStarFilled, IconTrash,
} from '../../ui/icons.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ForMembers } from '../../ui/for-members.tsx'
import pane from '../../ui/pane.module.css'
import { runAction } from '../keyboard/use-keys.ts'
import { CopyAs } from './copy-as.tsx'
import classes from './reader.module.css'
import { readerTexts } from './texts.ts'
import type { EmailActions } from './use-email.ts'

interface ToolbarProps {
  email: Email
  actions: EmailActions
  onClose: () => void
  onPrint: () => void
  onDownload: () => void
}

const texts = readerTexts.actions

export const Toolbar = ({ email: { id, isStarred, isRead, isDeleted }, actions, onClose, onPrint, onDownload }: ToolbarProps) => (
  <Group className={pane['toolbar']} gap={2} role="toolbar" aria-label={texts.label}>
    <Action name={texts.close} onClick={onClose}><IconArrowLeft size={18} aria-hidden /></Action>
    <Action name={texts.previous} onClick={() => runAction('previous')}><IconChevronUp size={18} aria-hidden /></Action>
    <Action name={texts.next} onClick={() => runAction('next')}><IconChevronDown size={18} aria-hidden /></Action>
    <span className={classes['space']} />
    <ForMembers>
      {!isDeleted && (
        <ActionIcon
          variant="subtle" color="gray" size="lg" aria-label={texts.reply} title={texts.reply}
          renderRoot={(props: object) => <Link to="/send" search={{ reply: id }} {...props} />}
        >
          <IconArrowBackUp size={18} aria-hidden />
        </ActionIcon>
      )}
      <Action name={isStarred ? texts.unstar : texts.star} onClick={() => actions.update({ isStarred: !isStarred })}>
        {isStarred ? <IconStarFilled size={18} aria-hidden /> : <IconStar size={18} aria-hidden />}
      </Action>
      <Action name={isRead ? texts.markUnread : texts.markRead} onClick={() => actions.update({ isRead: !isRead })}>
        {isRead ? <IconMail size={18} aria-hidden /> : <IconMailOpened size={18} aria-hidden />}
      </Action>
    </ForMembers>
    <CopyAs emailId={id} />
    <Action name={texts.print} onClick={onPrint}><IconPrinter size={18} aria-hidden /></Action>
    <Action name={texts.download} onClick={onDownload}><IconDownload size={18} aria-hidden /></Action>
    {!isDeleted && (
      <ForMembers><Action name={texts.delete} onClick={actions.remove}><IconTrash size={18} aria-hidden /></Action></ForMembers>
    )}
  </Group>
)

const Action = ({ name, onClick, children }: { name: string, onClick: () => void, children: ReactNode }) => (
  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={name} title={name} onClick={onClick}>{children}</ActionIcon>
)
