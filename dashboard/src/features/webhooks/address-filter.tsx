import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { webhookTexts } from './texts.ts'

const texts = webhookTexts.form

/** Maximum addresses that are offered, and that a webhook may name. */
const maxAddresses = 100

/** Chooses addresses by their ids. */
export function AddressFilter({ value, onChange }: { value: string[], onChange: (ids: string[]) => void }) {
  const { data } = useQuery({
    queryKey: keys.addresses('of-webhooks'),
    queryFn: async () => mayfly.addresses.list({ status: 'active', limit: maxAddresses }),
  })
  const listed = data?.addresses ?? []
  const others = value.filter((id) => !listed.some((address) => address.id === id))
  const options = [...listed.map(({ id, address }) => ({ value: id, label: address })), ...others.map((id) => ({ value: id, label: id }))]
  const isPart = data !== undefined && data.total > listed.length
  return (
    <MultiSelect
      label={texts.addresses} description={isPart ? `${texts.addressesHint} ${texts.newestAddresses(listed.length)}` : texts.addressesHint}
      placeholder={value.length === 0 ? texts.addressesPlaceholder : undefined} nothingFoundMessage={texts.noAddress}
      data={options} value={value} onChange={onChange} maxValues={maxAddresses} searchable clearable hidePickedOptions limit={maxAddresses}
    />
  )
}
