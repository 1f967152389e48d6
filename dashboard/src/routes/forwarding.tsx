import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '../ui/icons.tsx'
import { useAccount } from '../api/account.ts'
import { AddDestination } from '../features/forwarding/add-destination.tsx'
import { DestinationList } from '../features/forwarding/destination-list.tsx'
import { RuleList } from '../features/forwarding/rule-list.tsx'
import { forwardingTexts as texts } from '../features/forwarding/texts.ts'
import { useDestinations } from '../features/forwarding/use-destinations.ts'
import { ForMembers } from '../ui/for-members.tsx'
import { Page } from '../ui/page.tsx'

export function Forwarding() {
  const [isAdding, adding] = useDisclosure()
  const { destinations } = useDestinations()
  const { server } = useAccount()
  const addButton = (
    <ForMembers>
      <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>{texts.destinations.add}</Button>
    </ForMembers>
  )
  return (
    <Page title={texts.title} description={texts.description} actions={destinations.length > 0 && addButton}>
      <Title order={2} mb="sm">{texts.destinations.title}</Title>
      {server.outbound === 'capture' && destinations.some(({ isVerified }) => !isVerified) && (
        <Alert role="note" color="gray" mb="sm" py="xs">{texts.destinations.captured}</Alert>
      )}
      <DestinationList addButton={addButton} />
      <Group justify="space-between" align="end" mt="xl" mb="sm">
        <div>
          <Title order={2}>{texts.rules.title}</Title>
          <Text size="sm" c="dimmed">{texts.rules.description}</Text>
        </div>
      </Group>
      <RuleList />
      {isAdding && <AddDestination onClose={adding.close} />}
    </Page>
  )
}
