import type { Address } from '@mayfly-mail/sdk'
import type { KeyboardEvent } from 'react'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import { AddressRow } from './address-row.tsx'
import classes from './addresses-pane.module.css'
import { addressTexts as texts } from './texts.ts'

interface AddressRowsProps {
  rows: Address[]
  currentId: string | undefined
  /** The last row that is drawn, after each movement. */
  onShown(index: number): void
  children: React.ReactNode
}

const rowHeight = 54

/** The addresses in view, of a list of any length. The arrow keys move from one to the next. */
export function AddressRows({ rows, currentId, onShown, children }: AddressRowsProps) {
  const { scroller, virtualizer } = useVirtualRows(rows, rowHeight, onShown)
  return (
    <div className={classes['scroller']} ref={scroller} onKeyDown={moveFocus}>
      <ul className={classes['rows']} style={{ height: virtualizer.getTotalSize() }} aria-label={texts.list} role="list">
        {virtualizer.getVirtualItems().map(({ key, index, start }) => rows[index] && (
          <AddressRow key={key} address={rows[index]} isCurrent={rows[index].id === currentId} top={start} height={rowHeight} />
        ))}
      </ul>
      {children}
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-address]')]
    .sort((first, second) => first.getBoundingClientRect().top - second.getBoundingClientRect().top)
  const next = links[links.indexOf(document.activeElement as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)]
  event.preventDefault()
  next?.focus()
}
