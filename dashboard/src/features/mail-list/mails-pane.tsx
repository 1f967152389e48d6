import { NotFoundError } from '@mayfly-mail/sdk'
import { Button, Title } from '@mantine/core'
import { IconArrowLeft } from '../../ui/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMayChange } from '../../api/account.ts'
import type { Rows } from '../../api/live-rows.ts'
import { useUnread } from '../../shell/unread.ts'
import { CurrentAddress } from '../addresses/current-address.tsx'
import { addressTexts } from '../addresses/texts.ts'
import { isReceiving, useAddress, useAddresses } from '../addresses/use-addresses.ts'
import icon from '../../ui/icon-button.module.css'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { MailList } from './mail-list.tsx'
import classes from './mails-pane.module.css'
import { mailListTexts as texts } from './texts.ts'
import { listKey } from './use-mails.ts'
import type { MailRowData } from './use-mails.ts'

const FirstSteps = lazyPart(async () => (await import('../addresses/first-steps.tsx')).FirstSteps, <LoadingRows />)

interface MailsPaneProps {
  /** Undefined for all addresses. */
  addressId: string | undefined
  openId: string | undefined
  onOpen(email: MailRowData): void
  onClose(): void
  hrefOf(email: MailRowData): string
}

/** The address in full above its mails. */
export function MailsPane(props: MailsPaneProps) {
  const { addressId, openId } = props
  const { data: address, error, refetch } = useAddress(addressId)
  if (error instanceof NotFoundError && !address) return <MissingAddress />
  return (
    <>
      <header className={classes['header']}>
        <Link className={classes['back']} {...openId ? { to: '/mail/$addressId', params: { addressId: addressId ?? 'all' }, search: true } : { to: '/mail' }} preload={false}>
          <span className={icon['button']}><IconArrowLeft size={18} role="img" aria-label={texts.back} /></span>
        </Link>
        {addressId ? address && <CurrentAddress address={address} /> : <AllCounts />}
      </header>
      {error && !address
        ? <ErrorState error={error} retry={() => void refetch()} />
        : <MailList {...props} emptyMailbox={<EmptyMailbox addressId={addressId} />} />}
    </>
  )
}

/** All addresses, with the numbers of their mails. */
function AllCounts() {
  const unread = useUnread()
  // the list loads it
  const { data } = useQuery<Rows<MailRowData>>({ queryKey: listKey({ addressId: undefined, search: '', show: 'all' }), enabled: false })
  return (
    <>
      <Title order={2} className={classes['all']}>{texts.allMail}</Title>
      {data && <span className={classes['counts']}>{texts.counts(data.total, unread)}</span>}
    </>
  )
}

/** How to send a mail to the address, or to the newest one. */
function EmptyMailbox({ addressId }: { addressId: string | undefined }) {
  const { data: current } = useAddress(addressId)
  const { rows } = useAddresses('all')
  const now = useNow(10)
  const mayChange = useMayChange()
  const address = addressId ? current : rows.find((each) => isReceiving(each, now))
  if (!mayChange) return <EmptyState title={texts.empty.mailbox.title}>{texts.empty.viewer}</EmptyState>
  if (address && isReceiving(address, now)) {
    return <div className={classes['steps']} data-first-steps><FirstSteps address={address} /></div>
  }
  const { title, hint } = addressId && address ? texts.empty.expired : texts.empty.mailbox
  return <EmptyState title={title}>{hint}</EmptyState>
}

function MissingAddress() {
  const navigate = useNavigate()
  const { title, hint, action } = addressTexts.missing
  const showAll = () => void navigate({ to: '/mail' })
  return <EmptyState title={title} action={<Button variant="default" size="sm" onClick={showAll}>{action}</Button>}>{hint}</EmptyState>
}
