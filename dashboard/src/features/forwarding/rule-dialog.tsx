import { NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import type { Address, ForwardingRule } from '@mayfly-mail/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mayfly } from '../../api/session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showDone } from '../../ui/notify.tsx'
import { ruleQuery } from './rule-query.ts'
import { forwardingTexts } from './texts.ts'
import { useDestinations } from './use-destinations.ts'

const texts = forwardingTexts.rules

export function RuleDialog({ address, onClose }: { address: Address, onClose: () => void }) {
  const rule = useQuery(ruleQuery(address.id))
  return rule.data ? <RuleForm address={address} rule={rule.data} onClose={onClose} /> : null
}

/** The target decides: without one, mail is not forwarded, and the filters are kept. */
function RuleForm({ address, rule, onClose }: { address: Address, rule: ForwardingRule, onClose: () => void }) {
  const { destinations } = useDestinations()
  const [target, setTarget] = useState(rule.forwardToId ?? '')
  const [sender, setSender] = useState(rule.filterSender ?? '')
  const [subject, setSubject] = useState(rule.filterSubject ?? '')
  const [isActive, setActive] = useState(rule.isActive || rule.forwardToId === null)
  const client = useQueryClient()
  const save = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => mayfly.forwardingRules.update(address.id, {
      forwardToId: target || null, filterSender: sender.trim(), filterSubject: subject.trim(), ...target && { isActive },
    }),
    onSuccess(saved) {
      client.setQueryData(ruleQuery(address.id).queryKey, saved)
      showDone(texts.saved(address.address))
      onClose()
    },
  })
  const verified = destinations.filter(({ isVerified }) => isVerified).map(({ id, email }) => ({ value: id, label: email }))
  // one of a page that is not loaded
  const current = rule.forwardToId && !verified.some(({ value }) => value === rule.forwardToId)
    ? [{ value: rule.forwardToId, label: rule.forwardToEmail ?? '' }] : []
  return (
    <FormDialog
      title={texts.dialogTitle} submit={texts.save} isBusy={save.isPending} error={save.error} canSubmit={rule.id !== null || target !== ''}
      onSubmit={() => save.mutate()} onClose={onClose}
    >
      <Text size="sm" fw={500}>{address.address}</Text>
      <NativeSelect
        label={texts.target} description={verified.length > 0 ? texts.targetHint : texts.noTargets} value={target} data-autofocus
        data={[{ value: '', label: texts.noTarget }, ...current, ...verified]} onChange={({ currentTarget }) => setTarget(currentTarget.value)}
      />
      <TextInput
        label={texts.filterSender} description={texts.filterHint} value={sender}
        onChange={({ currentTarget }) => setSender(currentTarget.value)}
      />
      <TextInput
        label={texts.filterSubject} description={texts.filterHint} value={subject}
        onChange={({ currentTarget }) => setSubject(currentTarget.value)}
      />
      <Switch
        label={texts.active} checked={target !== '' && isActive} disabled={target === ''} onChange={({ currentTarget }) => setActive(currentTarget.checked)}
      />
    </FormDialog>
  )
}
