import { Center, Stack, Text } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { sharingTexts } from './texts.ts'

const texts = sharingTexts.addressQr

/** An address for the camera of a phone, as text: it is typed into the form of an app, more often than mail is sent to it. */
export const AddressQr = ({ address, onClose }: { address: string, onClose: () => void }) => (
  <Dialog title={texts.title} size="xs" onClose={onClose}>
    <Center>
      <Stack align="center">
        <QrCode value={address} label={texts.label(address)} />
        <Text size="sm" ff="monospace">{address}</Text>
      </Stack>
    </Center>
  </Dialog>
)
