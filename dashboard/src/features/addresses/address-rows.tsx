import type { Address } from '@mayfly-mail/sdk'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useRovingFocus } from '../../ui/use-roving-focus.ts'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import { addressMarks } from './address-marks.ts'
import { AddressRow } from './address-row.tsx'
import classes from './addresses-pane.module.css'
import { addressTexts as texts } from './texts.ts'

const AddressNoteDialog = lazyPart(async () => (await import('./address-note-dialog.tsx')).AddressNoteDialog)

interface AddressRowsProps {
  rows: Address[]
  currentId: string | undefined
  /** The last row that is drawn, after each movement. */
  onShown(index: number): void
  /** Undefined while no addresses are being selected. */
  selected: ReadonlySet<string> | undefined
  onSelect(id: string, isRange: boolean): void
  /** A link above the rows. */
  first: ReactNode
  children: ReactNode
}

const rowHeight = 54

/** The addresses in view, of a list of any length. One stop for the Tab key, in which the arrow keys move. */
export function AddressRows({ rows, currentId, onShown, selected, onSelect, first, children }: AddressRowsProps) {
  const marks = addressMarks.use()
  const [noted, setNoted] = useState<string>()
  const { scroller, drawn, height } = useVirtualRows(rows, rowHeight, onShown)
  return (
    <div className={classes['group']} {...useRovingFocus('[data-stop]')}>
      {first}
      <div className={classes['scroller']} ref={scroller}>
        <ul className={classes['rows']} style={{ height }} aria-label={texts.list} role="list">
          {drawn.map(({ row: address, top }) => (
            <AddressRow
              key={address.id} address={address} isCurrent={address.id === currentId} top={top} height={rowHeight}
              mark={marks[address.id]} onNote={setNoted} isSelected={selected?.has(address.id)} onSelect={onSelect}
            />
          ))}
        </ul>
        {children}
      </div>
      {noted && <AddressNoteDialog id={noted} onClose={() => setNoted(undefined)} />}
    </div>
  )
}
