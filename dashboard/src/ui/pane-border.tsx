import { useRef } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import classes from './pane-border.module.css'
import type { StoredValue } from './stored-value.ts'

interface BorderProps {
  /** The accessible name. */
  label: string
  /** The width of the pane to the left, in pixels; 0 for the default of the style sheet. */
  width: StoredValue<number>
  min: number
  max: number
}

/** Pixels of a press of an arrow key. */
const step = 16

/** The right border of a pane, by which its width is changed; a double click takes the change back. Its parent is the pane. */
export function PaneBorder({ label, width, min, max }: BorderProps) {
  const border = useRef<HTMLDivElement>(null)
  const chosen = width.use()
  const shown = () => border.current?.parentElement?.getBoundingClientRect().width ?? 0
  const set = (next: number) => width.write(Math.round(Math.max(min, Math.min(max, next))))

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    const { pointerId, clientX } = event
    const target: HTMLElement = event.currentTarget
    const before = shown()
    const ended = new AbortController()
    const { signal } = ended
    target.setPointerCapture(pointerId)
    target.addEventListener('pointermove', (move) => set(before + move.clientX - clientX), { signal })
    for (const end of ['pointerup', 'pointercancel'] as const) target.addEventListener(end, () => ended.abort(), { signal })
  }
  const move = (event: KeyboardEvent) => {
    const next = { ArrowLeft: shown() - step, ArrowRight: shown() + step, Home: min, End: max }[event.key]
    if (next === undefined) return
    event.preventDefault()
    set(next)
  }
  return (
    <div
      ref={border} className={classes['border']} role="separator" aria-orientation="vertical" aria-label={label} tabIndex={0}
      aria-valuemin={min} aria-valuemax={max} aria-valuenow={Math.max(min, chosen)} onPointerDown={drag} onKeyDown={move}
      onDoubleClick={() => width.write(0)}
    />
  )
}
