import type { EmailUpdate } from '@mayfly-mail/sdk'
import { Title } from '@mantine/core'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useMayChange } from '../api/account.ts'
import { basePath } from '../api/base.ts'
import { AddressesPane } from '../features/addresses/addresses-pane.tsx'
import { addressTexts } from '../features/addresses/texts.ts'
import { useFirstAddress } from '../features/addresses/use-first-address.ts'
import { useNewAddress } from '../features/addresses/use-new-address.ts'
import { useKeys } from '../features/keyboard/use-keys.ts'
import { ChooseMail } from '../features/mail-list/choose-mail.tsx'
import { deleteMails } from '../features/mail-list/delete-mails.ts'
import { MailsPane } from '../features/mail-list/mails-pane.tsx'
import { markMails } from '../features/mail-list/mark-mails.ts'
import { mailListTexts as texts } from '../features/mail-list/texts.ts'
import { useMarkReadOnOpen } from '../features/mail-list/use-mark-read-on-open.ts'
import type { MailRowData } from '../features/mail-list/use-mails.ts'
import hidden from '../ui/hidden.module.css'
import { Guard, lazyPart } from '../ui/lazy-part.tsx'
import { useTitle } from '../ui/page.tsx'
import { PaneBorder } from '../ui/pane-border.tsx'
import { LoadingRows } from '../ui/states.tsx'
import { storedValue } from '../ui/stored-value.ts'
import classes from './mail.module.css'

const MailReader = lazyPart(async () => (await import('../features/mail-reader/reader.tsx')).MailReader, <LoadingRows />)

const Pager = lazyPart(async () => (await import('../features/mail-list/pager.tsx')).Pager, null)

const SmtpPage = lazyPart(async () => (await import('../features/smtp/smtp-page.tsx')).SmtpPage, <LoadingRows />)

/** In the path, in place of an id of an address. */
const all = 'all'
/** In the path, in place of an id of a mail. */
const smtp = 'smtp'

const isWidth = (value: unknown) => typeof value === 'number' && value >= 0
const addressesWidth = storedValue('mayfly-addresses-width', 0, isWidth)
const listWidth = storedValue('mayfly-list-width', 0, isWidth)

/** The widths of the panes that the user has chosen, for the style sheet. */
const widthVariables = (addresses: number, list: number) => ({
  ...addresses > 0 && { '--addresses-width': `${addresses}px` }, ...list > 0 && { '--list-width': `${list}px` },
}) as CSSProperties

/** Addresses, their mails, and one mail: side by side where there is room, else one after the other. */
export function Mail() {
  useFirstAddress()
  const navigate = useNavigate()
  const { addressId: pathId, emailId: shown } = useParams({ strict: false })
  const addressId = pathId === all ? undefined : pathId
  const emailId = shown === smtp ? undefined : shown
  const query = useLocation({ select: ({ searchStr }) => searchStr })
  const isSmtp = shown === smtp && addressId !== undefined
  useTitle(isSmtp ? addressTexts.smtp : texts.title)
  const newAddress = useNewAddress()
  const mayChange = useMayChange()
  const createAddress = () => { if (mayChange && !newAddress.isPending) newAddress.mutate({}) }
  useKeys({ newAddress: createAddress })
  useMarkReadOnOpen(emailId)

  const open = ({ id }: MailRowData) => void navigate({
    to: '/mail/$addressId/$emailId', params: { addressId: pathId ?? all, emailId: id }, search: true, replace: emailId !== undefined,
  })
  const close = () => void navigate({ to: '/mail/$addressId', params: { addressId: pathId ?? all }, search: true })

  const actionsOf = (id: string) => ({
    update: (marks: EmailUpdate) => void markMails([id], marks),
    remove() {
      deleteMails([id])
      close()
    },
  })

  return (
    <div className={classes['container']}>
      <Title order={1} className={hidden['hidden']}>{texts.title}</Title>
      <div
        className={classes['panes']} style={widthVariables(addressesWidth.use(), listWidth.use())}
        data-view={emailId ?? isSmtp ? 'mail' : pathId ? 'mails' : 'addresses'}
      >
        <aside className={classes['addresses']}>
          <Guard><AddressesPane currentId={addressId} isCreating={newAddress.isPending} onNew={createAddress} /></Guard>
          <PaneBorder label={texts.borders.addresses} width={addressesWidth} min={192} max={480} />
        </aside>
        <section className={classes['mails']} aria-label={texts.list}>
          <Guard key={addressId}>
            <MailsPane
              addressId={addressId} openId={emailId} onOpen={open} onClose={close}
              hrefOf={({ id }) => `${basePath}/mail/${pathId ?? all}/${id}${query}`}
            />
          </Guard>
          <PaneBorder label={texts.borders.list} width={listWidth} min={240} max={900} />
        </section>
        <section className={classes['mail']} aria-label={texts.reader}>
          {emailId
            ? <><MailReader key={emailId} emailId={emailId} onClose={close} actions={actionsOf(emailId)} /><Pager /></>
            : isSmtp ? <SmtpPage key={addressId} addressId={addressId} onClose={close} /> : <ChooseMail />}
        </section>
      </div>
    </div>
  )
}
