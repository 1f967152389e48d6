import { Kbd, Table } from '@mantine/core'
import { Fragment } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { keymap, keyNames } from './keymap.ts'
import type { KeyAction } from './keymap.ts'
import { keyboardTexts } from './texts.ts'

/** Lists all keys. */
export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={keyboardTexts.title} onClose={onClose}>
    <Table withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {Object.entries(keymap).map(([action, keys]) => (
          <Table.Tr key={action}>
            <Table.Td>{keyboardTexts.actions[action as KeyAction]}</Table.Td>
            <Table.Td ta="end">
              {keys.map((combination, index) => (
                <Fragment key={combination}>
                  {index > 0 && ` ${keyboardTexts.or} `}
                  {combination.split(' ').map((key, position) => (
                    <Fragment key={key}>{position > 0 && ` ${keyboardTexts.then} `}<Kbd>{keyNames[key] ?? key}</Kbd></Fragment>
                  ))}
                </Fragment>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Dialog>
)
