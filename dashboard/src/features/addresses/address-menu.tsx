import type { Address } from '@mayfly-mail/sdk'
import { Menu } from '@mantine/core'
import { IconDots, IconListCheck, IconQrcode, IconShare, IconTrash } from '../../ui/icons.tsx'
import { useState } from 'react'
import { useMayChange } from '../../api/account.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { addressTexts as texts } from './texts.ts'

const ShareDialog = lazyPart(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog)
const AddressQr = lazyPart(async () => (await import('../sharing/address-qr.tsx')).AddressQr)
const SendersDialog = lazyPart(async () => (await import('./senders-dialog.tsx')).SendersDialog)
const DeleteAddress = lazyPart(async () => (await import('./delete-address.tsx')).DeleteAddress)

/** The actions on an address beside reading its mail. It is open at first: it is loaded when its button is pressed. */
export function AddressMenu({ address }: { address: Address }) {
  const [dialog, setDialog] = useState<'share' | 'qr' | 'senders' | 'delete'>()
  const mayChange = useMayChange()
  const close = () => setDialog(undefined)
  return (
    <div>
      <Menu defaultOpened position="bottom-end" withinPortal={false} transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <IconButton label={texts.menu} size={24}><IconDots size={16} aria-hidden /></IconButton>
        </Menu.Target>
        <Menu.Dropdown aria-label={texts.menu}>
          {mayChange && <Menu.Item leftSection={<IconShare size={16} aria-hidden />} onClick={() => setDialog('share')}>{texts.share}</Menu.Item>}
          <Menu.Item leftSection={<IconQrcode size={16} aria-hidden />} onClick={() => setDialog('qr')}>{texts.qr}</Menu.Item>
          {mayChange && (
            <Menu.Item leftSection={<IconListCheck size={16} aria-hidden />} onClick={() => setDialog('senders')}>{texts.senders}</Menu.Item>
          )}
          {mayChange && (
            <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDialog('delete')}>{texts.delete.label}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'share' && <ShareDialog address={address} onClose={close} />}
      {dialog === 'qr' && <AddressQr address={address.address} onClose={close} />}
      {dialog === 'senders' && <SendersDialog address={address} onClose={close} />}
      {dialog === 'delete' && <DeleteAddress address={address} onClose={close} />}
    </div>
  )
}
