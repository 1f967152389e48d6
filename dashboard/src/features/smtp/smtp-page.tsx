import { ActionIcon, Alert, Button, Group, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '../../ui/icons.tsx'
import type { Address } from '@mayfly-mail/sdk'
import { useEffect, useRef, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { describeError } from '../../ui/describe-error.ts'
import { Fact } from '../../ui/facts.tsx'
import { showDone } from '../../ui/notify.tsx'
import pane from '../../ui/pane.module.css'
import { RelativeTime, useNow } from '../../ui/relative-time.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { isReceiving, useAddress } from '../addresses/use-addresses.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { LoginDetails } from './login-details.tsx'
import classes from './smtp.module.css'
import { smtpTexts as texts } from './texts.ts'
import { useCreateSmtpLogin, useEndSmtpLogin } from './use-smtp-login.ts'

interface PageProps {
  addressId: string
  onClose: () => void
}

/** The SMTP login of an address: made, replaced and ended here. */
export function SmtpPage({ addressId, onClose }: PageProps) {
  const { data: address, error, refetch } = useAddress(addressId)
  return (
    <article className={pane['pane']}>
      <Group className={pane['toolbar']} gap={4} role="toolbar" aria-label={texts.label}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.close} title={texts.close} onClick={onClose}>
          <IconArrowLeft size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <div className={pane['content']}>
        {address
          ? <Login address={address} onClose={onClose} />
          : error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows count={2} height={72} />}
      </div>
    </article>
  )
}

function Login({ address, onClose }: { address: Address, onClose: () => void }) {
  const { id, hasSmtpLogin, lastLoginAt } = address
  const { server } = useAccount()
  const create = useCreateSmtpLogin(id)
  const [asked, setAsked] = useState<'replace' | 'end'>()
  const heading = useRef<HTMLHeadingElement>(null)
  const login = create.data
  useEffect(() => { if (login) heading.current?.focus() }, [login]) // the button that had the focus is gone
  useKeys({ back: () => { if (!login?.password) onClose() } }) // a key must not drop a password

  const canCreate = isReceiving(address, useNow(10))
  return (
    <>
      <header>
        <Title order={2} ref={heading} tabIndex={-1} className={classes['title']}>{texts.title}</Title>
        <Text size="sm"><bdi>{address.address}</bdi></Text>
        <Text size="sm" c="dimmed" mt="xs">{texts.hint}</Text>
      </header>
      {create.isError && <Alert color="red" role="alert">{describeError(create.error)}</Alert>}
      {login ?? hasSmtpLogin
        ? (
            <>
              <LoginDetails login={login ?? { username: address.address, ...server.smtpLogin }} isNew={login !== undefined}>
                {!login && <Fact name={texts.facts.lastLogin}>{lastLoginAt ? <RelativeTime at={lastLoginAt} /> : texts.facts.never}</Fact>}
              </LoginDetails>
              <Group gap="xs">
                <Button variant="default" onClick={() => setAsked('replace')} disabled={!canCreate}>{texts.replace}</Button>
                <Button variant="default" onClick={() => setAsked('end')}>{texts.end}</Button>
              </Group>
            </>
          )
        : (
            <div>
              <Text size="sm" mb="sm">{canCreate ? texts.none : texts.notReceiving}</Text>
              {canCreate && <Button loading={create.isPending} onClick={() => create.mutate()}>{texts.create}</Button>}
            </div>
          )}
      {asked === 'replace' && (
        <Confirm
          title={texts.replacing.title} confirm={texts.replace} isBusy={create.isPending} onClose={() => setAsked(undefined)}
          onConfirm={() => create.mutate(undefined, { onSettled: () => setAsked(undefined) })}
        >
          {texts.replacing.text}
        </Confirm>
      )}
      {asked === 'end' && <EndDialog id={id} onEnded={() => create.reset()} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function EndDialog({ id, onEnded, onClose }: { id: string, onEnded: () => void, onClose: () => void }) {
  const end = useEndSmtpLogin(id)
  return (
    <Confirm
      title={texts.ending.title} confirm={texts.end} isBusy={end.isPending} onClose={onClose}
      onConfirm={() => end.mutate(undefined, {
        onSettled: onClose,
        onSuccess() {
          onEnded()
          showDone(texts.ending.done)
        },
      })}
    >
      {texts.ending.text}
    </Confirm>
  )
}
