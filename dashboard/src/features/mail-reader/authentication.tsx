import { Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '../../ui/icons.tsx'
import classes from './reader.module.css'
import { isUnchecked } from './use-email.ts'
import { readerTexts } from './texts.ts'

const texts = readerTexts.checks

type Verdict = 'pass' | 'fail' | 'none' | 'other'

/** Results that have a sentence of their own; all others are unclear. */
const verdicts: Record<string, Verdict> = { pass: 'pass', fail: 'fail', softfail: 'fail', none: 'none' }

const icons = {
  pass: <IconCircleCheck size={16} className={classes['pass']} aria-hidden />,
  fail: <IconCircleX size={16} className={classes['fail']} aria-hidden />,
  none: <IconCircleMinus size={16} className={classes['none']} aria-hidden />,
  other: <IconCircleMinus size={16} className={classes['none']} aria-hidden />,
}

/** A warning above a mail that failed a check. */
export function FailedAuthentication({ email }: { email: Email }) {
  const { spf, dkim, dmarc } = email.authentication ?? {}
  const results = [spf?.result, dmarc?.result, ...dkim?.every(({ result }) => result !== 'pass') ? dkim.map(({ result }) => result) : []]
  const hasFailed = dmarc?.result !== 'pass' && results.some((result) => result !== undefined && verdictOf(result) === 'fail')
  return hasFailed && <Authentication email={email} />
}

/** The results of SPF, DKIM and DMARC in words. */
export function Authentication({ email }: { email: Email }) {
  const { type, authentication } = email
  if (type === 'sent') return null
  if (!authentication) return <Text size="xs" c="dimmed">{isUnchecked(email) ? texts.unchecked : texts.pending}</Text>
  const { spf, dkim, dmarc } = authentication
  const policy = dmarc.policy && verdictOf(dmarc.result) === 'fail' ? texts.policy(dmarc.policy) : ''
  return (
    <ul className={classes['checks']} aria-label={texts.title}>
      <Check sentences={texts.spf} {...spf} />
      {(dkim.length > 0 ? dkim : [{ result: 'none', domain: null }]).map(({ result, domain }, index) =>
        <Check key={index} sentences={texts.dkim} result={result} domain={domain} />)}
      <Check sentences={texts.dmarc} result={dmarc.result} domain={dmarc.domain} more={policy} />
    </ul>
  )
}

interface CheckProps {
  sentences: Record<Exclude<Verdict, 'other'>, (domain: string) => string> & { other: (result: string, domain: string) => string }
  result: string
  domain: string | null
  more?: string
}

function Check({ sentences, result, domain, more = '' }: CheckProps) {
  const verdict = verdictOf(result)
  const name = domain ?? texts.noDomain
  return (
    <li>
      {icons[verdict]}
      <span><bdi>{verdict === 'other' ? sentences.other(result, name) : sentences[verdict](name)}</bdi>{more}</span>
    </li>
  )
}

const verdictOf = (result: string): Verdict => verdicts[result] ?? 'other'
