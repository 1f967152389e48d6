import { ApiError } from '@mayfly-mail/sdk'
import type { AddressCreate } from '@mayfly-mail/sdk'
import { Alert, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { texts as shared } from '../../texts.ts'
import { describeError } from '../../ui/describe-error.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoginDetails } from '../smtp/login-details.tsx'
import { smtpTexts } from '../smtp/texts.ts'
import { lifetimeChoices } from './lifetimes.ts'
import { formTexts } from './form-texts.ts'
import { useNewAddress } from './use-new-address.ts'

const texts = formTexts.form

type Field = keyof AddressCreate

/** The dialog for an address with an alias, domain, lifetime and forwarding address of the user's choice. */
export function AddressForm({ onClose }: { onClose: () => void }) {
  const account = useAccount()
  const domains = useQuery({ queryKey: keys.domains('choices'), queryFn: ({ signal }) => mayfly.domains.list({ signal }) })
  const targets = useQuery({
    queryKey: keys.forwarding('verified'),
    queryFn: async ({ signal }) => {
      const destinations = await Array.fromAsync(mayfly.forwardingAddresses.list({ limit: 100 }, { signal }))
      return destinations.filter(({ isVerified }) => isVerified)
    },
  })
  const lifetimes = lifetimeChoices(account.maxAddressSeconds)
  const [input, setInput] = useState({ alias: '', domain: '', expiresIn: String(account.maxAddressSeconds), forwardToId: '' })
  const set = (name: Field) => ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
    setInput((current) => ({ ...current, [name]: value }))
  }
  const [hasLogin, setHasLogin] = useState(false)
  const create = useNewAddress({ showsOwnError: true })
  const errors = fieldErrors(create.error)
  const loadError = domains.error ?? targets.error

  const submit = () => create.mutate({
    ...input.alias.trim() && { alias: input.alias.trim() },
    ...input.domain && { domain: input.domain },
    ...input.forwardToId && { forwardToId: input.forwardToId },
    ...hasLogin && { smtpLogin: true },
    expiresIn: Number(input.expiresIn),
  }, { onSuccess: ({ smtp }) => { if (!smtp) onClose() } })

  if (create.data?.smtp) {
    return (
      <Dialog title={smtpTexts.title} size="lg" closeOnClickOutside={false} onClose={onClose}>
        <LoginDetails login={create.data.smtp} isNew />
        <Group justify="end" mt="md"><Button onClick={onClose} data-autofocus>{smtpTexts.done}</Button></Group>
      </Dialog>
    )
  }

  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form onSubmit={(event) => { event.preventDefault(); submit() }} noValidate>
        <Stack gap="sm">
          <TextInput
            label={texts.alias} description={texts.aliasHint} value={input.alias} onChange={set('alias')} error={errors.alias} data-autofocus
            autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={200}
          />
          <NativeSelect
            label={texts.domain} value={input.domain} onChange={set('domain')} error={errors.domain}
            data={[
              { value: '', label: account.server.defaultDomain },
              ...(domains.data ?? []).flatMap(({ domain, status }) => status === 'verified' ? [{ value: domain, label: domain }] : []),
            ]}
          />
          <NativeSelect label={texts.lifetime} value={input.expiresIn} onChange={set('expiresIn')} error={errors.expiresIn} data={lifetimes} />
          <NativeSelect
            label={texts.forwarding} description={targets.data?.length === 0 ? texts.forwardingHint : undefined}
            value={input.forwardToId} onChange={set('forwardToId')} error={errors.forwardToId}
            data={[{ value: '', label: texts.noForwarding }, ...(targets.data ?? []).map(({ id, email }) => ({ value: id, label: email }))]}
          />
          <Checkbox
            label={texts.smtpLogin} description={texts.smtpLoginHint} checked={hasLogin}
            onChange={({ currentTarget }) => setHasLogin(currentTarget.checked)}
          />
          {create.error && Object.keys(errors).length === 0 && <Alert color="red" role="alert">{describeError(create.error)}</Alert>}
          {loadError && <Alert color="red" role="alert">{describeError(loadError)}</Alert>}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>{shared.cancel}</Button>
            <Button type="submit" loading={create.isPending}>{texts.create}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The messages of an error by field. A conflict names no field: it is about the alias that was given. */
function fieldErrors(error: unknown): Partial<Record<Field, string>> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.details.flatMap(({ path, message }) => path.startsWith('body.') ? [[path.slice('body.'.length), message]] : []))
}
