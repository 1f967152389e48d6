import type { ApiKeyCreate, Scope } from '@mayfly-mail/sdk'
import { Alert, Button, Checkbox, Group, Input, NativeSelect, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ChangeEvent, FormEvent } from 'react'
import { useDraft } from '../../api/drafts.ts'
import { currentMode } from '../../api/mode.ts'
import type { Mode } from '../../api/mode.ts'
import { texts as common } from '../../texts.ts'
import { describeError } from '../../ui/describe-error.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CreatedKey } from './created-key.tsx'
import { keyTexts as texts, scopeTexts } from './texts.ts'
import { useCreateKey } from './use-keys.ts'

const { form } = texts

interface Bounds {
  prefix: string
  domains: string
  max: string
}

/** As the document has it; empty for no bound. */
const prefixForm = /^([a-z0-9][a-z0-9._-]*)?$/
const isMax = ({ prefix, domains, max }: Bounds) =>
  max === '' || /^\d+$/.test(max) && Number(max) >= 1 && Number(max) <= 10_000 && (prefix !== '' || domains.trim() !== '')

function boundsOf({ prefix, domains, max }: Bounds): NonNullable<ApiKeyCreate['bounds']> {
  const names = domains.split(/[\s,]+/).filter(Boolean)
  return {
    ...prefix !== '' && { aliasPrefix: prefix }, ...names.length > 0 && { domains: [...new Set(names)] }, ...max !== '' && { maxAddresses: Number(max) },
  }
}

/** Seconds after which a key may end, in the order of the list. */
const endings = ['', '3600', '86400', '604800', '2592000', '31536000'] as const

type Dialect = NonNullable<ApiKeyCreate['dialect']>

/** The form for a new key, then its value. Closing it drops the value. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateKey()
  const close = () => {
    create.reset()
    onClose()
  }
  if (create.data) {
    return (
      <Dialog title={texts.shown.title} size="lg" closeOnClickOutside={false} onClose={close}>
        <CreatedKey created={create.data} onClose={close} />
      </Dialog>
    )
  }
  return (
    <Dialog title={texts.create} size="lg" onClose={close}>
      <KeyForm create={create} onClose={close} />
    </Dialog>
  )
}

function KeyForm({ create, onClose }: { create: ReturnType<typeof useCreateKey>, onClose: () => void }) {
  const [name, setName] = useDraft('key-name')
  const [scopes, setScopes] = useState<string[]>([])
  const [mode, setMode] = useState<Mode>(currentMode)
  const [dialect, setDialect] = useState<Dialect>('primary')
  const [bounds, setBounds] = useState({ prefix: '', domains: '', max: '' })
  const [expiresIn, setExpiresIn] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const faults = { prefix: !prefixForm.test(bounds.prefix), max: !isMax(bounds) }
  const isComplete = name.trim() !== '' && scopes.length > 0 && !faults.prefix && !faults.max
  const set = (member: keyof typeof bounds) => ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
    setBounds((known) => ({ ...known, [member]: value }))

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsSubmitted(true)
    if (isComplete && !create.isPending) create.mutate(toInput())
  }

  function toInput(): ApiKeyCreate {
    const given = boundsOf(bounds)
    return {
      name: name.trim(), scopes: scopes as Scope[], mode, dialect,
      ...Object.keys(given).length > 0 && { bounds: given }, ...expiresIn !== '' && { expiresIn: Number(expiresIn) },
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={form.name} description={form.nameHint} required withAsterisk={false} maxLength={100} autoComplete="off" data-autofocus
          value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={isSubmitted && name.trim() === '' && form.nameMissing}
        />
        <Checkbox.Group
          label={texts.scopes} description={form.scopesHint} value={scopes} onChange={setScopes}
          error={isSubmitted && scopes.length === 0 && form.scopesMissing}
        >
          <Stack gap="xs" my="xs">
            {Object.entries(scopeTexts).map(([scope, description]) => (
              <Checkbox key={scope} value={scope} label={scope} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Input.Wrapper label={form.bounds} description={form.boundsHint} labelElement="div">
          <Group align="start" mt="xs">
            <TextInput
              label={form.prefix} description={form.prefixHint} value={bounds.prefix} onChange={set('prefix')} autoComplete="off" maxLength={30}
              error={isSubmitted && faults.prefix && form.prefixWrong}
            />
            <TextInput label={form.domains} description={form.domainsHint} value={bounds.domains} onChange={set('domains')} autoComplete="off" />
            <TextInput
              label={form.max} value={bounds.max} onChange={set('max')} inputMode="numeric" autoComplete="off" maxLength={5}
              error={isSubmitted && faults.max && form.maxWrong}
            />
          </Group>
        </Input.Wrapper>
        <NativeSelect
          label={form.end} value={expiresIn} onChange={({ currentTarget }) => setExpiresIn(currentTarget.value)}
          data={endings.map((value) => ({ value, label: form.ends[value] }))}
        />
        <Choice
          label={form.mode} value={mode} onChange={setMode}
          choices={[['live', form.live, form.liveHint], ['test', form.test, form.testHint]]}
        />
        <Choice
          label={form.dialect} value={dialect} onChange={setDialect}
          choices={[['primary', form.primary, form.primaryHint], ['classic', form.classic, form.classicHint]]}
        />
        {create.isError && <Alert color="red" role="alert">{describeError(create.error)}</Alert>}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" loading={create.isPending}>{texts.create}</Button>
        </Group>
      </Stack>
    </form>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  choices: [value: Value, label: string, description: string][]
}

function Choice<Value extends string>({ label, value, onChange, choices }: ChoiceProps<Value>) {
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen)}>
      <Group mt="xs" gap="lg" align="start">
        {choices.map(([each, text, description]) => <Radio key={each} value={each} label={text} description={description} />)}
      </Group>
    </Radio.Group>
  )
}
