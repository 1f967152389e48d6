import type { EmailSummary } from '@mayfly-mail/sdk'
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useAccount, useMayChange } from '../../api/account.ts'
import { keys } from '../../api/keys.ts'
import { setMode, useMode } from '../../api/mode.ts'
import { mayfly } from '../../api/session.ts'
import { pagesOf } from '../../shell/pages.ts'
import { texts as shared } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useAddressSearch } from '../addresses/use-address-search.ts'
import { useNewAddress } from '../addresses/use-new-address.ts'
import { copyCode } from '../mail-list/copy-code.ts'
import { toggleDensity } from '../mail-list/density.ts'
import classes from './palette.module.css'
import { keyboardTexts } from './texts.ts'

const texts = keyboardTexts.palette

interface Command {
  id: string
  /** A heading of the list. */
  group: string
  label: string
  /** Beside the label. */
  note?: string | undefined
  run: () => void
}

const searchDelayMs = 200
const maxFound = 6

/** A search box for pages, addresses, mails and commands: Enter opens or runs the chosen one. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands(text)
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const index = Math.min(chosen, commands.length - 1)
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [index, commands.length])

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((index + step + commands.length) % Math.max(commands.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(commands[index])
    }
  }
  return (
    <Dialog title={texts.title} size="lg" onClose={onClose}>
      <input
        className={classes['input']} type="text" role="combobox" aria-label={texts.input} placeholder={texts.placeholder} value={text}
        aria-expanded aria-controls={id} aria-autocomplete="list" aria-activedescendant={commands[index] && `${id}-${index}`} data-autofocus
        maxLength={200} spellCheck={false} autoComplete="off" onKeyDown={move}
        onChange={({ currentTarget }) => { setText(currentTarget.value); setChosen(0) }}
      />
      <ul className={classes['list']} role="listbox" id={id} aria-label={texts.title} ref={list}>
        {commands.map((command, position) => (
          <li
            key={command.id} id={`${id}-${position}`} className={classes['command']} role="option" aria-selected={position === index}
            onClick={() => run(command)} onMouseMove={() => setChosen(position)}
          >
            <span className={classes['group']}>{command.group === commands[position - 1]?.group ? '' : command.group}</span>
            <span className={classes['label']}><bdi>{command.label}</bdi></span>
            {command.note && <span className={classes['note']}><bdi>{command.note}</bdi></span>}
          </li>
        ))}
      </ul>
      {commands.length === 0 && <p className={classes['none']} role="status">{texts.none}</p>}
    </Dialog>
  )
}

/** The results for the text: commands and pages by their names, addresses by theirs, mails by a search on the server. */
function useCommands(text: string): Command[] {
  const navigate = useNavigate()
  const account = useAccount()
  const mayChange = useMayChange()
  const isTest = useMode() === 'test'
  const isDark = useComputedColorScheme('light') === 'dark'
  const { setColorScheme } = useMantineColorScheme()
  const create = useNewAddress()
  const wanted = text.trim().toLowerCase()
  const addresses = useAddressSearch(wanted, maxFound)
  const mails = useFoundMails(wanted)

  const actions: [string, () => void][] = [
    ...mayChange ? [[texts.actions.newAddress, () => create.mutate({})] satisfies [string, () => void]] : [],
    [texts.actions.copyCode, () => void copyLastCode()],
    [isTest ? texts.actions.toLive : texts.actions.toTest, () => setMode(isTest ? 'live' : 'test')],
    [isDark ? shared.scheme.toLight : shared.scheme.toDark, () => setColorScheme(isDark ? 'light' : 'dark')],
    [texts.actions.density, toggleDensity],
  ]
  const isNamed = ({ label }: Command) => label.toLowerCase().includes(wanted)
  return [
    ...actions.map(([label, run]) => ({ id: label, group: texts.groups.actions, label, run })).filter(isNamed),
    ...pagesOf(account)
      .map(({ to, label }) => ({ id: to, group: texts.groups.pages, label, run: () => void navigate({ to }) })).filter(isNamed),
    ...addresses.matches.slice(0, maxFound).map(({ id, address }) => ({
      id, group: texts.groups.addresses, label: address, run: () => void navigate({ to: '/mail/$addressId', params: { addressId: id } }),
    })),
    ...mails.map(({ id, addressId, subject, fromName, from }) => ({
      id, group: texts.groups.mails, label: subject || texts.noSubject, note: fromName || from,
      run: () => void navigate({ to: '/mail/$addressId/$emailId', params: { addressId, emailId: id } }),
    })),
  ]
}

function useFoundMails(wanted: string): EmailSummary[] {
  const [q] = useDebouncedValue(wanted, searchDelayMs)
  const { data } = useQuery({
    queryKey: keys.emails('palette', q),
    queryFn: async ({ signal }) => (await mayfly.emails.list({ q, limit: maxFound }, { signal })).data,
    enabled: q !== '',
    placeholderData: (previous) => previous,
  })
  return wanted === '' ? [] : data ?? []
}

/** The code of the newest mail that has one, of the newest 50. */
async function copyLastCode() {
  const { data } = await mayfly.emails.list({ type: 'received', limit: 50 })
  const code = data.flatMap(({ codes }) => codes.slice(0, 1))[0]
  await copyCode(code)
}
