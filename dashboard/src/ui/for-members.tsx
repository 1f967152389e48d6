import type { ReactNode } from 'react'
import { useMayChange } from '../api/account.ts'

/** Controls that change something: a viewer of the account does not see them. The server refuses the change too. */
export const ForMembers = ({ children }: { children: ReactNode }) => useMayChange() && children
