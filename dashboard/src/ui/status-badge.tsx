import classes from './status-badge.module.css'

export type Tone = 'good' | 'waiting' | 'bad' | 'neutral'

/** A state as a word with a coloured dot; the colour repeats what the word says. */
export const StatusBadge = ({ tone, children }: { tone: Tone, children: string }) =>
  <span className={classes['badge']} data-tone={tone}>{children}</span>
