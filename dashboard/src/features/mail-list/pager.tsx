import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.tsx'
import { runAction } from '../keyboard/use-keys.ts'
import classes from './pager.module.css'
import { mailListTexts as texts } from './texts.ts'

/** Below a mail that fills the window, as on a phone: the mails before and after it in the list. */
export const Pager = () => (
  <div className={classes['pager']}>
    <Button variant="default" leftSection={<IconChevronLeft size={18} aria-hidden />} onClick={() => runAction('previous')}>{texts.previous}</Button>
    <Button variant="default" rightSection={<IconChevronRight size={18} aria-hidden />} onClick={() => runAction('next')}>{texts.next}</Button>
  </div>
)
