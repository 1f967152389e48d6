import type { Address } from '@mayfly-mail/sdk'
import { IconNote, IconPin, IconPinFilled } from '../../ui/icons.tsx'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { TimeLeft, useNow } from '../../ui/relative-time.tsx'
import { markAddress } from './address-marks.ts'
import type { AddressMark } from './address-marks.ts'
import classes from './address-row.module.css'
import { addressTexts as texts } from './texts.ts'
import { isReceiving } from './use-addresses.ts'

interface AddressRowProps {
  address: Address
  isCurrent: boolean
  /** Pixels from the top of the list. */
  top: number
  height: number
  mark: AddressMark | undefined
  onNote(id: string): void
  /** Undefined while no addresses are being selected. */
  isSelected: boolean | undefined
  /** @param isRange with the rows from the one before */
  onSelect(id: string, isRange: boolean): void
}

export const AddressRow = memo(function AddressRow(props: AddressRowProps) {
  const { address, isCurrent, top, height, mark, onNote, isSelected, onSelect } = props
  const isExpired = !isReceiving(address, useNow(10))
  const isPinned = mark?.isPinned ?? false
  const pinLabel = isPinned ? texts.unpin(address.alias) : texts.pin(address.alias)
  const buttonLabel = texts.editNote(address.alias)
  return (
    <li
      className={classes['row']} style={{ height, transform: `translateY(${top}px)` }} data-expired={isExpired || undefined}
      data-selecting={isSelected !== undefined || undefined}
    >
      {isSelected !== undefined && (
        <input
          type="checkbox" className={classes['check']} checked={isSelected} aria-label={texts.selecting.select(address.alias)}
          onChange={({ nativeEvent }) => onSelect(address.id, (nativeEvent as unknown as MouseEvent).shiftKey)}
        />
      )}
      <Link
        className={classes['link']} to="/mail/$addressId" params={{ addressId: address.id }} preload={false} data-address={address.id} data-stop tabIndex={-1}
        title={address.address} aria-current={isCurrent ? 'page' : undefined}
      >
        <span className={classes['name']}><bdi>{address.alias}</bdi><span className={classes['domain']}>@{address.address.split('@')[1]}</span></span>
        <span className={classes['facts']}>
          <span className={classes['note']}>{mark?.note ?? (isExpired ? texts.expired : <TimeLeft until={address.expiresAt} />)}</span>
          <span>
            {texts.mails(address.emailCount)}
            {address.unreadCount > 0 && <span className={classes['unread']}>, {texts.unread(address.unreadCount)}</span>}
          </span>
        </span>
      </Link>
      <span className={classes['marks']} data-pinned={isPinned || undefined}>
        <button type="button" tabIndex={isCurrent ? 0 : -1} aria-label={buttonLabel} title={buttonLabel} onClick={() => onNote(address.id)}>
          <IconNote size={14} aria-hidden />
        </button>
        <button
          type="button" tabIndex={isCurrent ? 0 : -1} aria-label={pinLabel} title={pinLabel}
          onClick={() => markAddress(address.id, { isPinned: !isPinned })}
        >
          {isPinned ? <IconPinFilled size={14} aria-hidden /> : <IconPin size={14} aria-hidden />}
        </button>
      </span>
    </li>
  )
})
