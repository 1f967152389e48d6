import { Anchor, Table, Text } from '@mantine/core'
import type { EmailChecks } from '@mayfly-mail/sdk'
import { IconCheck, IconMinus, IconX } from '../../../ui/icons.tsx'
import type { ReactNode } from 'react'
import hidden from '../../../ui/hidden.module.css'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'

const { clients: texts, results } = readerTexts.mailChecks

/** Words of the ids of clients that are not written with a capital letter alone; families first. */
const written = Object.entries({
  'outlook-com': 'Outlook.com', 'free-fr': 'Free.fr', 't-online-de': 'T-online.de', 'web-de': 'WEB.DE', 'wp-pl': 'WP.pl', 'mail-ru': 'Mail.ru',
  'laposte': 'LaPoste.net', 'protonmail': 'ProtonMail', 'ionos-1and1': 'IONOS', 'rainloop': 'RainLoop', 'ios': 'iOS', 'macos': 'macOS', 'aol': 'AOL',
  'gmx': 'GMX', 'hey': 'HEY', 'sfr': 'SFR', 'webmail': 'webmail', 'mobile': 'mobile',
})

/** `Gmail mobile webmail` for `gmail-mobile-webmail`. */
function nameOf(id: string): string {
  const named = written.reduce((name, [word, text]) => name.replace(new RegExp(`(?<![\\w.])${word}(?![\\w.])`), text), id)
  return named.split(/-(?!online)/).map((word) => /[A-Z]/.test(word) || word === 'webmail' || word === 'mobile' ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ')
}

/** By result. */
const icons = {
  pass: <IconCheck size={14} className={classes['pass']} aria-hidden />,
  warn: <IconMinus size={14} className={classes['none']} aria-hidden />,
  fail: <IconX size={14} className={classes['fail']} aria-hidden />,
} as Record<string, ReactNode>

/** Which clients support the features of a mail. */
export function ClientSupport({ clients: { result, support, features } }: Pick<EmailChecks, 'clients'>) {
  if (result === 'none') return <Text size="sm">{texts.none}</Text>
  if (features.length === 0) return <Text size="sm">{texts.pass}</Text>
  return (
    <>
      <Text size="sm">{texts.warn(features.length)}</Text>
      <ul className={classes['clients']} aria-label={texts.support}>
        {Object.entries(support).map(([id, ofClient]) =>
          <li key={id} title={results[ofClient] ?? ofClient}>{icons[ofClient]}{nameOf(id)}<span className={hidden['hidden']}>: {results[ofClient] ?? ofClient}</span></li>)}
      </ul>
      <Table className={classes['features']} verticalSpacing={4} mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.feature}</Table.Th><Table.Th scope="col">{texts.uses}</Table.Th>
            <Table.Th scope="col">{texts.lacking}</Table.Th><Table.Th scope="col">{texts.partial}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {features.map(({ id, title, count, partial, unsupported }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row">
                <Anchor href={`https://www.caniemail.com/features/${id}/`} target="_blank" rel="noopener noreferrer" size="xs" underline="always">{title}</Anchor>
              </Table.Th>
              <Table.Td>{count}</Table.Td>
              <Table.Td><Clients ids={unsupported} /></Table.Td>
              <Table.Td><Clients ids={partial} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt={4}>{texts.source}</Text>
    </>
  )
}

/** The first three, and the number of the others, which open. */
function Clients({ ids }: { ids: readonly string[] }) {
  const names = ids.map(nameOf)
  if (names.length <= 3) return names.join(', ')
  return <details><summary>{names.slice(0, 2).join(', ')} +{names.length - 2}</summary>{names.slice(2).join(', ')}</details>
}
