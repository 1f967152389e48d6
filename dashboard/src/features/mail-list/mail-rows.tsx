import { useEffect } from 'react'
import { useMayChange } from '../../api/account.ts'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import { MailRow } from './mail-row.tsx'
import type { RowHandlers } from './mail-row.tsx'
import { density, rowHeights } from './density.ts'
import type { Density } from './density.ts'
import classes from './mail-rows.module.css'
import { mailListTexts as texts } from './texts.ts'
import { useAnchoredScroll } from './use-anchored-scroll.ts'
import { useSwipe } from './use-swipe.ts'
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

/** The rows in view, of a list of any length. */
export function MailRows(props: MailRowsProps) {
  const chosen = density.use()
  return <RowsOfHeight key={chosen} {...props} density={chosen} />
}

function RowsOfHeight({
  rows, hasMore, selected, currentId, openId, handlers, onShown, ...props
}: MailRowsProps & { density: Density }) {
  const rowHeight = rowHeights[props.density]
  const mayChange = useMayChange()
  const { scroller, drawn, height, scrollTo } = useVirtualRows(rows, rowHeight, onShown)
  useAnchoredScroll(scroller, rows, rowHeight)
  useSwipe(scroller, { onDelete: handlers.remove, onToggleRead: handlers.toggleRead })

  const currentIndex = rows.findIndex(({ id }) => id === currentId)
  useEffect(() => {
    if (currentIndex >= 0) scrollTo(currentIndex)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when another row becomes the current one, not when rows arrive
  }, [currentId])

  return (
    <div className={classes['scroller']} ref={scroller} data-mail-scroller data-density={props.density} aria-busy={props.isPlaceholder}>
      <ul className={classes['rows']} style={{ height }} aria-label={texts.list} role="list">
        {drawn.map(({ row: email, index, top }) => (
          <MailRow
            key={email.id} email={email} href={props.hrefOf(email)} top={top} height={rowHeight} position={index + 1}
            setSize={hasMore ? -1 : rows.length} isSelected={selected.has(email.id)} isOpen={email.id === openId}
            isCurrent={currentIndex >= 0 ? index === currentIndex : index === 0} showsAddress={props.showsAddress}
            handlers={handlers} mayChange={mayChange}
          />
        ))}
      </ul>
      {props.children}
    </div>
  )
}
