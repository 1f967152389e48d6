import { Group, NativeSelect, Switch, TextInput } from '@mantine/core'
import { IconSearch } from '../../ui/icons.tsx'
import type { AuditFilter } from './filter.ts'
import { auditTexts as texts } from './texts.ts'
import { useKeyNames } from './use-key-names.ts'

const optionsOf = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
const results = [{ value: '', label: texts.anyResult }, ...optionsOf(texts.result)]
const times = optionsOf(texts.times)

interface AuditFiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const names = useKeyNames()
  const callers = [{ value: '', label: texts.anyCaller }, { value: 'session', label: texts.session }, ...optionsOf(Object.fromEntries(names))]
  return (
    <Group gap="sm" mb="sm" wrap="wrap">
      <TextInput
        type="search" flex="1 1 240px" maw={360} aria-label={texts.filter} placeholder={texts.filterHint}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.text} onChange={({ currentTarget }) => onChange({ ...filter, text: currentTarget.value })}
      />
      <NativeSelect
        aria-label={texts.results} data={results} value={filter.result}
        onChange={({ currentTarget }) => onChange({ ...filter, result: currentTarget.value as AuditFilter['result'] })}
      />
      <NativeSelect
        aria-label={texts.callers} data={callers} value={filter.caller} maw={220}
        onChange={({ currentTarget }) => onChange({ ...filter, caller: currentTarget.value })}
      />
      <NativeSelect
        aria-label={texts.time} data={times} value={filter.since}
        onChange={({ currentTarget }) => onChange({ ...filter, since: currentTarget.value as AuditFilter['since'] })}
      />
      <Switch
        label={texts.reads} checked={filter.hasReads}
        onChange={({ currentTarget }) => onChange({ ...filter, hasReads: currentTarget.checked })}
      />
    </Group>
  )
}
