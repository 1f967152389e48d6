import type { Address } from '@mayfly-mail/sdk'
import { Title } from '@mantine/core'
import { IconDots, IconPlug } from '../../ui/icons.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ForMembers } from '../../ui/for-members.tsx'
import icon from '../../ui/icon-button.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { RelativeTime, TimeLeft, useNow } from '../../ui/relative-time.tsx'
import classes from './current-address.module.css'
import { addressTexts as texts } from './texts.ts'
import { isReceiving } from './use-addresses.ts'

const menuButton = (open?: () => void) =>
  <IconButton label={texts.menu} size={24} aria-haspopup="menu" onClick={open}><IconDots size={16} aria-hidden /></IconButton>
const AddressMenu = lazyPart(async () => (await import('./address-menu.tsx')).AddressMenu, menuButton())

/** The address whose mail is listed, in full, with the time that is left. */
export function CurrentAddress({ address }: { address: Address }) {
  const [isMenuUsed, setMenuUsed] = useState(false)
  return (
    <div className={classes['address']}>
      <Title order={2} className={classes['name']}>{address.address}</Title>
      <CopyButton value={address.address} label={texts.copy} iconPx={24} />
      <span className={classes['facts']}>
        <State address={address} /> · {texts.mailsAndUnread(address.emailCount, address.unreadCount)}
        {address.allowedSenders.length + address.blockedSenders.length > 0 && ` · ${texts.refusesSome}`}
      </span>
      <ForMembers>
        <Link
          className={`${icon['button']} ${classes['smtp']}`} to={`/mail/${address.id}/smtp`} preload={false} aria-label={texts.smtp}
          title={texts.smtpHint}
        >
          <IconPlug size={16} aria-hidden />
        </Link>
      </ForMembers>
      {isMenuUsed ? <AddressMenu address={address} /> : menuButton(() => setMenuUsed(true))}
    </div>
  )
}

function State({ address }: { address: Address }) {
  const now = useNow()
  if (isReceiving(address, now)) return <>{texts.timeLeft} <TimeLeft until={address.expiresAt} /></>
  return address.expiresAt.getTime() <= now ? <>{texts.expired} <RelativeTime at={address.expiresAt} /></> : <>{texts.notReceiving}</>
}
