import { Stack, Text } from '@mantine/core'
import { CopiedValue } from '../../ui/copied-value.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './delivery-row.module.css'
import { requestHeaders } from './request-headers.ts'
import { deliveryTexts as texts } from './texts.ts'
import type { Delivery } from './use-deliveries.ts'

/** The request of an attempt and its answer. All of it is shown as text. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { id, eventId, error, dueAt, requestBody, responseBody, responseStatus, status } = delivery
  return (
    <Stack gap="sm" py="sm">
      <dl className={classes['details']}>
        {error && <><dt>{texts.error}</dt><dd>{error}</dd></>}
        <dt>{texts.due}</dt><dd><RelativeTime at={dueAt} /></dd>
        <dt>{texts.eventId}</dt><dd>{eventId}</dd>
        <dt>{texts.deliveryId}</dt><dd>{id}</dd>
      </dl>
      <div className={classes['sides']}>
        <Stack gap="sm">
          <CopiedValue label={texts.requestHeaders} value={requestHeaders(delivery)} copyLabel={texts.copyHeaders} />
          <Text size="xs" c="dimmed" mt={-8}>{texts.signatures}</Text>
          <CopiedValue label={texts.requestBody} value={indented(requestBody)} copyLabel={texts.copyRequest} />
        </Stack>
        {responseBody
          ? <CopiedValue label={texts.answer(responseStatus)} value={responseBody} copyLabel={texts.copyAnswer} />
          : status !== 'pending' && <Text size="sm">{texts.answer(responseStatus)}: {responseStatus === null ? texts.noAnswer : texts.emptyAnswer}</Text>}
      </div>
    </Stack>
  )
}

/** JSON with line breaks; a body of which only the beginning is known as it is. */
function indented(body: string) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
