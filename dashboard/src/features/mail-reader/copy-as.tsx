import { ActionIcon, Menu } from '@mantine/core'
import { IconCode } from '../../ui/icons.tsx'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { baseUrl } from '../../api/base.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showDone } from '../../ui/notify.tsx'
import { readerTexts } from './texts.ts'

const texts = readerTexts.copyAs

/** Copies the lines of a program that reads this mail. */
export function CopyAs({ emailId }: { emailId: string }) {
  const [isOpen, setOpen] = useState(false)
  const copy = async (language: keyof typeof lines) => {
    showDone(await copyText(lines[language](emailId)) ? texts.copied(texts[language]) : texts.failed)
  }
  // its key would close the mail too; before the menu, which is closed then
  const keepEscape = (event: KeyboardEvent) => { if (isOpen && event.key === 'Escape') event.preventDefault() }
  return (
    <div onKeyDownCapture={keepEscape}>
      <Menu
        position="bottom-end" withinPortal={false} transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}
        opened={isOpen} onChange={setOpen}
      >
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.label} title={texts.label}>
            <IconCode size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={texts.label}>
          {(Object.keys(lines) as (keyof typeof lines)[]).map((language) =>
            <Menu.Item key={language} onClick={() => void copy(language)}>{texts[language]}</Menu.Item>)}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** By language: the lines that read a mail, with a key in the environment. */
const lines = {
  curl: (id: string) => `curl -s ${baseUrl}/api/v1/emails/${id} \\\n  -H "Authorization: Bearer $MAYFLY_API_KEY"`,
  typescript: (id: string) => `import { Mayfly } from '@mayfly-mail/sdk'

const mayfly = new Mayfly({
  baseUrl: '${baseUrl}',
  apiKey: process.env.MAYFLY_API_KEY,
})
const email = await mayfly.emails.get('${id}')
console.log(email.subject, email.codes[0])`,
  python: (id: string) => `import os
from mayfly import Mayfly

with Mayfly(os.environ['MAYFLY_API_KEY'], base_url='${baseUrl}') as mayfly:
    email = mayfly.emails.get('${id}')
    print(email.subject, email.codes)`,
  command: (id: string) => `mayfly email show ${id} --url ${baseUrl}`,
}
