import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { MailRow } from './mail-row.tsx'
import type { RowHandlers } from './mail-row.tsx'
import classes from './mail-rows.module.css'
import { mailListTexts as texts } from './texts.ts'
import { useAnchoredScroll } from './use-anchored-scroll.ts'
import type { MailRowData } from './use-mails.ts'

interface MailRowsProps {
  rows: MailRowData[]
  hasMore: boolean
  isPlaceholder: boolean
  selected: ReadonlySet<string>
  currentId: string | undefined
  openId: string | undefined
  showsAddress: boolean
  handlers: RowHandlers
  hrefOf(email: MailRowData): string
  /** The last row that is drawn, after each movement. */
  onShown(index: number): void
  children: React.ReactNode
}

const rowHeight = 78

/** The rows in view, of a list of any length. */
export function MailRows({ rows, hasMore, selected, currentId, openId, handlers, onShown, ...props }: MailRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- the functions of the virtualizer are called here, in each render
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]!.id,
    overscan: 8,
    useFlushSync: false,
  })
  useAnchoredScroll(scroller, rows, rowHeight)

  const items = virtualizer.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? 0
  useEffect(() => onShown(lastIndex), [lastIndex, rows.length, onShown])

  const currentIndex = rows.findIndex(({ id }) => id === currentId)
  useEffect(() => {
    if (currentIndex >= 0) virtualizer.scrollToIndex(currentIndex, { align: 'auto' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when another row becomes the current one, not when rows arrive
  }, [currentId])

  return (
    <div className={classes['scroller']} ref={scroller} data-mail-scroller aria-busy={props.isPlaceholder}>
      <ul className={classes['rows']} style={{ height: virtualizer.getTotalSize() }} aria-label={texts.list} role="list">
        {items.map(({ key, index, start }) => {
          const email = rows[index]
          return email && (
            <MailRow
              key={key} email={email} href={props.hrefOf(email)} top={start} height={rowHeight} position={index + 1}
              setSize={hasMore ? -1 : rows.length} isSelected={selected.has(email.id)} isOpen={email.id === openId}
              isCurrent={currentIndex >= 0 ? index === currentIndex : index === 0} showsAddress={props.showsAddress} handlers={handlers}
            />
          )
        })}
      </ul>
      {props.children}
    </div>
  )
}
