import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { texts } from '../texts.ts'

export const OfflineBanner = () => (
  <Alert color="yellow" radius={0} py="xs" icon={<IconPlugConnectedX size={18} aria-hidden />} role="status">{texts.offline.banner}</Alert>
)
