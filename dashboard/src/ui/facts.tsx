import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './facts.module.css'

/** Names and values, one below the other. @param props.isNarrow for short names */
export const Facts = ({ isNarrow = false, children }: { isNarrow?: boolean, children: ReactNode }) => (
  <dl className={isNarrow ? `${classes['facts']} ${classes['narrow']}` : classes['facts']}>{children}</dl>
)

export const Fact = ({ name, children }: { name: string, children: ReactNode }) => <div><dt>{name}</dt><dd>{children}</dd></div>

/** @param props.copyLabel the accessible name of the button that copies the value */
export const CopiedFact = ({ name, value, copyLabel }: { name: string, value: string, copyLabel: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className={classes['value']}><code>{value}</code><CopyButton value={value} label={copyLabel} /></dd>
  </div>
)
