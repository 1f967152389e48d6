import type { Address } from '@mayfly-mail/sdk'
import { Alert, Button, Center, Group, Radio, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CopiedValue } from '../../ui/copied-value.tsx'
import { describeError } from '../../ui/describe-error.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { sharingTexts as texts } from './texts.ts'
import { useCreateShareLink, useEndShareLink, useShareLinks } from './use-share-links.ts'

/** Makes links by which others read the mail of an address, and ends them. Closing it drops the value of a new one. */
export function ShareDialog({ address: { id, address }, onClose }: { address: Address, onClose: () => void }) {
  const create = useCreateShareLink(id)
  const url = create.data?.url
  return (
    <Dialog title={texts.title} size="lg" closeOnClickOutside={url === undefined} onClose={onClose}>
      <Stack>
        <Text size="sm">{texts.hint(address)}</Text>
        {url === undefined ? <LinkForm create={create} /> : <NewLink url={url} />}
        <ActiveLinks addressId={id} />
      </Stack>
    </Dialog>
  )
}

function LinkForm({ create }: { create: ReturnType<typeof useCreateShareLink> }) {
  const [hours, setHours] = useState('24')
  return (
    <form onSubmit={(event) => { event.preventDefault(); if (!create.isPending) create.mutate(Number(hours)) }}>
      <Stack>
        <Radio.Group label={texts.lifetime} description={texts.lifetimeHint} value={hours} onChange={setHours}>
          <Group mt="xs" gap="lg">
            {Object.entries(texts.lifetimes).map(([value, label]) => <Radio key={value} value={value} label={label} />)}
          </Group>
        </Radio.Group>
        {create.isError && <Text c="red" size="sm" role="alert">{describeError(create.error)}</Text>}
        <Group justify="end"><Button type="submit" loading={create.isPending}>{texts.create}</Button></Group>
      </Stack>
    </form>
  )
}

const NewLink = ({ url }: { url: string }) => (
  <>
    <Alert color="yellow" role="status">{texts.once}</Alert>
    <CopiedValue label={texts.link} value={url} copyLabel={texts.copy} />
    <Center><QrCode value={url} label={texts.qr} /></Center>
  </>
)

function ActiveLinks({ addressId }: { addressId: string }) {
  const { data, error, refetch } = useShareLinks(addressId)
  const end = useEndShareLink(addressId)
  return (
    <section>
      <Title order={3} size="sm" mb="xs">{texts.links}</Title>
      {error && !data
        ? <ErrorState error={error} retry={() => void refetch()} />
        : !data
            ? <LoadingRows height={40} count={1} />
            : data.length === 0
              ? <Text size="sm" c="dimmed">{texts.none}</Text>
              : (
                  <Rows label={texts.links}>
                    {data.map(({ id, createdAt, expiresAt }) => (
                      <Row
                        key={id}
                        actions={(
                          <Button
                            size="xs" variant="default" aria-describedby={`share-${id}`} loading={end.isPending && end.variables === id}
                            onClick={() => end.mutate(id)}
                          >
                            {texts.end}
                          </Button>
                        )}
                      >
                        <Text size="sm" id={`share-${id}`}>
                          {texts.created} <RelativeTime at={createdAt} />, {texts.ends} <RelativeTime at={expiresAt} />
                        </Text>
                      </Row>
                    ))}
                  </Rows>
                )}
    </section>
  )
}
