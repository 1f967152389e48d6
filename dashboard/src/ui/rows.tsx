import type { ReactNode } from 'react'
import classes from './rows.module.css'

/** A list of things, one beneath the other, in a frame. Its items are `Row`s. */
export const Rows = ({ label, children }: { label: string, children: ReactNode }) => (
  <ul className={classes['rows']} aria-label={label}>{children}</ul>
)

interface RowProps {
  /** Buttons at the end. */
  actions?: ReactNode
  /** Whether the buttons stand beside the first line, for a row that grows. */
  isTop?: boolean
  children: ReactNode
}

export const Row = ({ actions, isTop = false, children }: RowProps) => (
  <li className={classes['row']} data-top={isTop || undefined}>
    <div className={classes['content']}>{children}</div>
    {actions && <div className={classes['actions']}>{actions}</div>}
  </li>
)
