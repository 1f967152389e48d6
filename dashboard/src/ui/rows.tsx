import type { ReactNode } from 'react'
import classes from './rows.module.css'

/** A list of things, one beneath the other, in a frame. Its items are `Row`s. */
export const Rows = ({ label, children }: { label: string, children: ReactNode }) => (
  <ul className={classes['rows']} aria-label={label}>{children}</ul>
)

interface RowProps {
  /** Buttons at the end. */
  actions?: ReactNode
  children: ReactNode
  /** Details below, over the whole width. */
  below?: ReactNode
}

export const Row = ({ actions, children, below }: RowProps) => (
  <li className={classes['row']}>
    <div className={classes['line']}>
      <div className={classes['content']}>{children}</div>
      {actions && <div className={classes['actions']}>{actions}</div>}
    </div>
    {below}
  </li>
)
