import type { Address } from '@mayfly-mail/sdk'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { TimeLeft, useNow } from '../../ui/relative-time.tsx'
import classes from './address-row.module.css'
import { addressTexts as texts } from './texts.ts'
import { isReceiving } from './use-addresses.ts'

interface AddressRowProps {
  address: Address
  isCurrent: boolean
  /** Pixels from the top of the list. */
  top: number
  height: number
}

export const AddressRow = memo(function AddressRow({ address, isCurrent, top, height }: AddressRowProps) {
  const isExpired = !isReceiving(address, useNow(10))
  return (
    <li className={classes['row']} style={{ height, transform: `translateY(${top}px)` }} data-expired={isExpired || undefined}>
      <Link
        className={classes['link']} to="/mail/$addressId" params={{ addressId: address.id }} preload={false} data-address={address.id} data-stop tabIndex={-1}
        title={address.address} aria-current={isCurrent ? 'page' : undefined}
      >
        <span className={classes['name']}><bdi>{address.alias}</bdi><span className={classes['domain']}>@{address.address.split('@')[1]}</span></span>
        <span className={classes['facts']}>
          <span>{isExpired ? texts.expired : <TimeLeft until={address.expiresAt} />}</span>
          <span>
            {texts.mails(address.emailCount)}
            {address.unreadCount > 0 && <span className={classes['unread']}>, {texts.unread(address.unreadCount)}</span>}
          </span>
        </span>
      </Link>
    </li>
  )
})
