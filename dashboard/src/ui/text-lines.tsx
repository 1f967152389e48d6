import { CopyButton } from './copy-button.tsx'
import classes from './text-lines.module.css'

/** Lines of a program or a file, to be copied. A long line is wrapped. @param props.label the accessible name of the button */
export const TextLines = ({ text, label }: { text: string, label: string }) => (
  <div className={classes['lines']}>
    <pre>{text}</pre>
    <CopyButton value={text} label={label} />
  </div>
)
