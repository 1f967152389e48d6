import type { ReactNode } from 'react'
import { useMayChange } from '../api/account.ts'

/** What changes something: a viewer of the account, who reads, does not see it. The server refuses it too. */
export const ForMembers = ({ children }: { children: ReactNode }) => useMayChange() && children
