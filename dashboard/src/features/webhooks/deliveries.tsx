import { Button, Center, Text, Title } from '@mantine/core'
import { Rows } from '../../ui/rows.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { deliveryTexts as texts } from './texts.ts'
import { useDeliveries } from './use-deliveries.ts'

/** The attempts to deliver events to a webhook. */
export const Deliveries = ({ webhookId }: { webhookId: string }) => (
  <section>
    <Title order={2} mb="sm">{texts.title}</Title>
    <DeliveryList webhookId={webhookId} />
  </section>
)

function DeliveryList({ webhookId }: { webhookId: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useDeliveries(webhookId)
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingRows height={44} />
  const deliveries = data.pages.flatMap((page) => page.data)
  if (deliveries.length === 0) return <Text size="sm" c="dimmed">{texts.empty}</Text>
  return (
    <>
      <Rows label={texts.title}>
        {deliveries.map((delivery) => <DeliveryRow key={delivery.id} webhookId={webhookId} delivery={delivery} />)}
      </Rows>
      {hasNextPage && (
        <Center mt="md">
          <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>{texts.more}</Button>
        </Center>
      )}
    </>
  )
}
