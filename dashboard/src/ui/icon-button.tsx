import type { ButtonHTMLAttributes } from 'react'
import classes from './icon-button.module.css'

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name, and the tooltip unless `title` has another. */
  label: string
  /** Pixels. */
  size?: number
}

/** An icon to press. Mantine's own is too large for the first page. */
export const IconButton = ({ label, size = 28, title = label, ...props }: IconButtonProps) =>
  <button type="button" className={classes['button']} style={{ width: size, height: size }} aria-label={label} title={title} {...props} />
