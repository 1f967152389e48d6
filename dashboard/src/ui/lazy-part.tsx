import { CatchBoundary } from '@tanstack/react-router'
import { createElement, Suspense, use } from 'react'
import type { ComponentType, ReactNode } from 'react'
import classes from './lazy-part.module.css'
import { ErrorState } from './states.tsx'

/**
 * A component in a chunk of its own, which is loaded when it is first rendered. In place of one that fails stands its error, with a button
 * that tries again; `React.lazy` would keep the failure.
 * @param pending shown while it loads. Without, as for a dialog, the error floats above the page
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, pending?: ReactNode) {
  let loading: Promise<ComponentType<Props>> | undefined
  const open = () => loading ??= load()
  const forget = () => { loading = undefined }
  const Part = (props: Props) => createElement(use(open()), props)
  const LazyPart = (props: Props) => (
    <Guard isFloating={pending === undefined} onError={forget} {...'onClose' in props && { onClose: props.onClose as () => void }}>
      <Suspense fallback={pending}><Part {...props} /></Suspense>
    </Guard>
  )
  /** For the router, which loads a page when its link is pointed at. */
  const preload = () => open().then(() => {}, forget)
  return Object.assign(LazyPart, { preload })
}

interface GuardProps {
  isFloating?: boolean
  onError?: () => void
  /** Removes what failed. */
  onClose?: () => void
  children: ReactNode
}

/** Shows an error of its children in their place, so that the rest of the page stays. */
export const Guard = ({ isFloating = false, onError, onClose, children }: GuardProps) => (
  <CatchBoundary
    getResetKey={() => 'part'}
    onCatch={onError}
    errorComponent={({ error, reset }) => (
      <div className={isFloating ? classes['floating'] : undefined}>
        <ErrorState error={error} retry={reset} onClose={onClose} />
      </div>
    )}
  >
    {children}
  </CatchBoundary>
)
