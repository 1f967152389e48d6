import type { Address } from '@mayfly-mail/sdk'
import { Title } from '@mantine/core'
import { IconPlug, IconQrcode, IconShare, IconTrash } from '@tabler/icons-react'
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

const ShareDialog = lazyPart(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog)
const AddressQr = lazyPart(async () => (await import('../sharing/address-qr.tsx')).AddressQr)
const DeleteAddress = lazyPart(async () => (await import('./delete-address.tsx')).DeleteAddress)

/** The address whose mail is listed, in full, with the time that is left. */
export function CurrentAddress({ address }: { address: Address }) {
  const [dialog, setDialog] = useState<'share' | 'qr' | 'delete'>()
  const close = () => setDialog(undefined)
  return (
    <div className={classes['address']}>
      <Title order={2} className={classes['name']}>{address.address}</Title>
      <CopyButton value={address.address} label={texts.copy} iconPx={24} />
      <span className={classes['facts']}><State address={address} /> · {texts.mailsAndUnread(address.emailCount, address.unreadCount)}</span>
      <ForMembers>
        <Link
          className={`${icon['button']} ${classes['smtp']}`} to={`/mail/${address.id}/smtp`} preload={false} aria-label={texts.smtp}
          title={texts.smtpHint}
        >
          <IconPlug size={16} aria-hidden />
        </Link>
      </ForMembers>
      <IconButton label={texts.qr} size={24} onClick={() => setDialog('qr')}><IconQrcode size={16} aria-hidden /></IconButton>
      <ForMembers>
        <IconButton label={texts.share} title={texts.shareHint} size={24} onClick={() => setDialog('share')}><IconShare size={16} aria-hidden /></IconButton>
        <IconButton label={texts.delete.label} size={24} onClick={() => setDialog('delete')}><IconTrash size={16} aria-hidden /></IconButton>
      </ForMembers>
      {dialog === 'share' && <ShareDialog address={address} onClose={close} />}
      {dialog === 'qr' && <AddressQr address={address.address} onClose={close} />}
      {dialog === 'delete' && <DeleteAddress address={address} onClose={close} />}
    </div>
  )
}

function State({ address }: { address: Address }) {
  const now = useNow()
  if (isReceiving(address, now)) return <>{texts.timeLeft} <TimeLeft until={address.expiresAt} /></>
  return address.expiresAt.getTime() <= now ? <>{texts.expired} <RelativeTime at={address.expiresAt} /></> : <>{texts.notReceiving}</>
}
