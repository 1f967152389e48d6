import { Text } from '@mantine/core'
import { IconTrash, IconX } from '../../ui/icons.tsx'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { runSome } from '../../api/run-some.ts'
import { mayfly } from '../../api/session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { describeError } from '../../ui/describe-error.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { showDone } from '../../ui/notify.tsx'
import classes from './addresses-pane.module.css'
import { dropAddresses } from './drop-addresses.ts'
import { addressTexts } from './texts.ts'

const texts = addressTexts.selecting

interface AddressSelectionProps {
  selected: ReadonlySet<string>
  isAllSelected: boolean
  onSelectAll: () => void
  onClear: () => void
  /** Ends selecting. */
  onEnd: () => void
  currentId: string | undefined
}

/** The actions for the selected addresses, in place of the filter. */
export function AddressSelection({ selected, isAllSelected, onSelectAll, onClear, onEnd, currentId }: AddressSelectionProps) {
  /** Those to delete: deleted ones leave the list, and the selection, while the others are being deleted. */
  const [deleting, setDeleting] = useState<string[]>()
  return (
    <div className={classes['filters']}>
      <input
        type="checkbox" className={classes['allBox']} aria-label={texts.all} title={texts.all} checked={isAllSelected}
        ref={(box) => { if (box) box.indeterminate = selected.size > 0 && !isAllSelected }} onChange={isAllSelected ? onClear : onSelectAll}
      />
      <Text size="sm" flex={1} role="status" className={classes['count']}>{texts.count(selected.size)}</Text>
      <IconButton label={texts.delete} disabled={selected.size === 0} onClick={() => setDeleting([...selected])}>
        <IconTrash size={16} aria-hidden />
      </IconButton>
      <IconButton label={texts.end} onClick={onEnd}><IconX size={16} aria-hidden /></IconButton>
      {deleting && <DeleteAddresses ids={deleting} currentId={currentId} onDone={onEnd} onClose={() => setDeleting(undefined)} />}
    </div>
  )
}

interface DeleteAddressesProps {
  ids: string[]
  currentId: string | undefined
  onDone: () => void
  onClose: () => void
}

function DeleteAddresses({ ids, currentId, onDone, onClose }: DeleteAddressesProps) {
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => runSome(ids, (id) => mayfly.addresses.delete(id)),
    async onSuccess(failed) {
      const kept = new Set(failed.map(({ item }) => item))
      const gone = new Set(ids.filter((id) => !kept.has(id)))
      if (gone.size > 0) showDone(texts.done(gone.size))
      if (failed[0]) showDone(texts.failed(failed.length, describeError(failed[0].error)))
      onDone()
      if (currentId !== undefined && gone.has(currentId)) await navigate({ to: '/mail' })
      dropAddresses(gone)
    },
  })
  return (
    <Confirm
      title={texts.title(ids.length)} confirm={texts.confirm} isBusy={remove.isPending} onConfirm={() => remove.mutate()} onClose={onClose}
    >
      {texts.hint}
    </Confirm>
  )
}
