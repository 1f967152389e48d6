import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './table.module.css'

interface Column {
  title: string
  /** Hidden below the width of a tablet. */
  isWide?: boolean
  /** For a column of buttons: its title is for screen readers alone. */
  isHidden?: boolean
  align?: 'end'
  /** Pixels below which a column of long words is not narrowed, where there is room for it. */
  minWidth?: number
}

interface DataTableProps {
  /** The accessible name. */
  label: string
  columns: readonly Column[]
  /** Rows of `Table.Tr`; cells of wide columns have `visibleFrom="sm"`. */
  children: ReactNode
}

/** A table in a frame, in the style of all pages. */
export const DataTable = ({ label, columns, children }: DataTableProps) => (
  <div className={classes['frame']}>
    <Table verticalSpacing="xs" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ title, isWide, isHidden, align, minWidth }) => (
            <Table.Th key={title} scope="col" ta={align} miw={{ base: 0, sm: minWidth ?? 0 }} {...isWide && { visibleFrom: 'sm' }}>
              {isHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </div>
)
