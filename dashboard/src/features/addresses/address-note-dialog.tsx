import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts as shared } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { addressMarks, markAddress } from './address-marks.ts'
import { addressTexts } from './texts.ts'

const texts = addressTexts.note

/** The purpose of an address. */
export function AddressNoteDialog({ id, onClose }: { id: string, onClose: () => void }) {
  const [note, setNote] = useState(addressMarks.read()[id]?.note ?? '')
  const save = () => {
    markAddress(id, { note: note.trim() || undefined })
    onClose()
  }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form onSubmit={(event) => { event.preventDefault(); save() }}>
        <Stack>
          <TextInput
            label={texts.label} description={texts.hint} value={note} onChange={({ currentTarget }) => setNote(currentTarget.value)}
            maxLength={200} data-autofocus
          />
          <Group justify="end">
            <Button variant="default" onClick={onClose}>{shared.cancel}</Button>
            <Button type="submit">{texts.save}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
