import { Group, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { anySession } from './filter.ts'
import type { AuditFilter, AuditResult } from './filter.ts'
import { auditTexts as texts } from './texts.ts'
import { useKeyNames } from './use-key-names.ts'

const results = (Object.keys(texts.result) as AuditResult[]).map((value) => ({ value, label: texts.result[value] }))

interface AuditFiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const names = useKeyNames()
  const callers = [
    { value: '', label: texts.anyCaller }, { value: anySession, label: texts.session }, ...[...names].map(([value, label]) => ({ value, label })),
  ]
  return (
    <Group gap="sm" mb="sm" wrap="wrap">
      <TextInput
        type="search" flex="1 1 240px" maw={360} aria-label={texts.filter} placeholder={texts.filterHint} leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.text} onChange={({ currentTarget }) => onChange({ ...filter, text: currentTarget.value })}
      />
      <NativeSelect
        aria-label={texts.results} data={results} value={filter.result}
        onChange={({ currentTarget }) => onChange({ ...filter, result: currentTarget.value as AuditResult })}
      />
      <NativeSelect
        aria-label={texts.callers} data={callers} value={filter.caller} maw={220}
        onChange={({ currentTarget }) => onChange({ ...filter, caller: currentTarget.value })}
      />
    </Group>
  )
}
