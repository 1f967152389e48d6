import { Button, Group, Stack, Table, Text } from '@mantine/core'
import type { Email, EmailChecks } from '@mayfly-mail/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { keys } from '../../../api/keys.ts'
import { mayfly } from '../../../api/session.ts'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import type { Tone } from '../../../ui/status-badge.tsx'
import { Authentication } from '../authentication.tsx'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'
import { ClientSupport } from './client-support.tsx'

const texts = readerTexts.mailChecks

const tones: Record<string, Tone> = { pass: 'good', warn: 'waiting', fail: 'bad' }

const Result = ({ result }: { result: string }) => <StatusBadge tone={tones[result] ?? 'neutral'}>{texts.results[result] ?? result}</StatusBadge>

/** The checks of a mail for what mail clients and spam filters mind. */
export function ChecksPart({ email }: { email: Email }) {
  const [asksLinks, setAsksLinks] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [...keys.email(email.id), 'checks', asksLinks, email.authentication],
    queryFn: ({ signal }) => mayfly.emails.checks(email.id, { links: asksLinks }, { signal }),
    placeholderData: (before) => before,
    staleTime: Infinity,
    retry: false,
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <LoadingRows count={7} height={32} />
  const { clients, images, size, text, unsubscribe, links } = data
  const [html, max] = [formatBytes(size.htmlBytes), formatBytes(size.maxHtmlBytes)]
  return (
    <Stack gap="lg">
      <Section name="clients" {...clients}><ClientSupport clients={clients} /></Section>
      <Section name="images" {...images}><Sentences lines={imageLines(images)} /></Section>
      <Section name="size" {...size}>
        <Sentences lines={[size.result === 'none' ? texts.size.none : size.result === 'fail' ? texts.size.fail(html, max) : texts.size.pass(html, max)]} />
      </Section>
      <Section name="text" {...text}><Sentences lines={[text.hasText ? texts.text.pass : text.hasHtml ? texts.text.warn : texts.text.fail]} /></Section>
      <Section name="unsubscribe" {...unsubscribe}>
        <Sentences lines={[texts.unsubscribe[unsubscribe.result as keyof typeof texts.unsubscribe], ...unsubscribe.urls]} />
      </Section>
      <Section name="authentication" {...data.authentication}><Authentication email={email} /></Section>
      <Section name="links" {...links}>
        <LinkChecks links={links} />
        {links.total > 0 && !asksLinks && (
          <Group gap="xs" mt="xs">
            <Button size="compact-sm" variant="default" onClick={() => setAsksLinks(true)}>{texts.links.check}</Button>
            <Text size="xs" c="dimmed">{texts.links.hint}</Text>
          </Group>
        )}
        {asksLinks && isFetching && <LoadingRows count={1} height={24} />}
      </Section>
    </Stack>
  )
}

function Section({ name, result, children }: { name: keyof typeof texts.titles, result: string, children: ReactNode }) {
  return (
    <div>
      <Group gap="sm" mb={4}>
        <Text component="h3" fw={600} size="sm" m={0}>{texts.titles[name]}</Text>
        <Result result={result} />
      </Group>
      {children}
    </div>
  )
}

const Sentences = ({ lines }: { lines: (string | false | undefined)[] }) =>
  lines.filter(Boolean).map((line, index) => <Text key={index} size="sm"><bdi>{line}</bdi></Text>)

const imageLines = ({ result, total, remote, missing, withoutAlt, withoutSize }: EmailChecks['images']) => [
  result === 'none' ? texts.images.none : texts.images.count(total, remote),
  missing > 0 && texts.images.missing(missing),
  withoutAlt > 0 && texts.images.withoutAlt(withoutAlt),
  withoutSize > 0 && texts.images.withoutSize(withoutSize),
]

function LinkChecks({ links: { result, total, hosts, insecure, mismatched, links } }: Pick<EmailChecks, 'links'>) {
  const asked = links.filter(({ status, error }) => status !== null || error !== null)
  return (
    <>
      <Sentences
        lines={[
          result === 'none' ? texts.links.none : texts.links.count(total, hosts.length),
          insecure > 0 && texts.links.insecure(insecure), mismatched > 0 && texts.links.mismatched(mismatched),
        ]}
      />
      {asked.length > 0 && (
        <Table className={classes['headers']} verticalSpacing={4} mt="xs">
          <Table.Thead>
            <Table.Tr><Table.Th scope="col">{texts.links.status}</Table.Th><Table.Th scope="col">{texts.links.url}</Table.Th></Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {asked.map(({ url, status, redirects, error, result: answer }, index) => (
              <Table.Tr key={index}>
                <Table.Td><StatusBadge tone={tones[answer] ?? 'neutral'}>{`${status ?? texts.results['fail']}`}</StatusBadge></Table.Td>
                <Table.Td>
                  <bdi>{url}</bdi>{redirects ? ` ${texts.links.redirects(redirects)}` : ''}
                  {error && <Text size="xs" c="dimmed">{error}</Text>}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  )
}
