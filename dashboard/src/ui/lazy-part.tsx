import { CatchBoundary } from '@tanstack/react-router'
import { createElement, Suspense, use } from 'react'
import type { ComponentType, ReactNode } from 'react'
import classes from './lazy-part.module.css'
import { ErrorState } from './states.tsx'

/**
 * A component in a chunk of its own, which is loaded when it is first rendered. A failure is shown in its place, with a button that tries
 * again; `React.lazy` would keep the failure.
 * @param pending shown while it loads; without it, as for a dialog, an error floats above the page
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
  /** For the router, which loads a page when the pointer is on its link. */
  const preload = () => open().then(() => {}, forget)
  return Object.assign(LazyPart, { preload })
}

interface GuardProps {
  isFloating?: boolean
  onError?: () => void
  /** Closes the part that failed, such as a dialog. */
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
