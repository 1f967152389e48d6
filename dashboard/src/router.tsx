import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { accountQuery } from './api/account.ts'
import { basePath } from './api/base.ts'
import { isSignedOut } from './api/errors.ts'
import { queryClient } from './api/query-client.ts'
import { ownPath } from './features/sign-in/own-path.ts'
import { NotFound } from './routes/not-found.tsx'
import { RouteError } from './routes/route-error.tsx'
import { Shell } from './shell/shell.tsx'
import { LoadingRows } from './ui/states.tsx'

/** All pages. Each but Mail is a chunk of its own, loaded when its link is pointed at. */
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: RouteError })

/** The pages that need a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  errorComponent: RouteError,
  async beforeLoad({ location }) {
    await queryClient.ensureQueryData(accountQuery).catch((error: unknown) => {
      throw isSignedOut(error) ? redirect({ to: '/sign-in', search: { to: location.href } }) : error
    })
  },
})

/** @param name the component that the module exports */
const page = <Path extends string, Name extends string>(path: Path, load: () => Promise<Record<Name, () => ReactNode>>, name: Name) =>
  createRoute({ getParentRoute: () => signedIn, path, component: lazyRouteComponent(load, name) })

/** Stays mounted while its path changes, so that the lists keep their place. */
const mail = page('/mail', () => import('./routes/mail.tsx'), 'Mail')
const mailPath = <Path extends string>(path: Path) => createRoute({ getParentRoute: () => mail, path })

const routes = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    // a member that is left out would keep the value of the URL
    validateSearch: ({ to }: Record<string, unknown>): { to?: string | undefined } => ({ to: ownPath(to) }),
    async beforeLoad({ location: { hash }, search: { to } }) {
      if (hash) return // the token of a link
      const account = await queryClient.fetchQuery(accountQuery).catch(() => undefined)
      if (account) throw redirect({ href: to ?? '/mail', replace: true })
    },
    component: lazyRouteComponent(() => import('./routes/sign-in.tsx'), 'SignIn'),
  }),
  signedIn.addChildren([
    createRoute({ getParentRoute: () => signedIn, path: '/', beforeLoad() { throw redirect({ to: '/mail' }) } }),
    mail.addChildren([mailPath('/'), mailPath('$addressId'), mailPath('$addressId/$emailId')]),
    page('/send', () => import('./routes/send.tsx'), 'Send'),
    page('/domains', () => import('./routes/domains.tsx'), 'Domains'),
    page('/forwarding', () => import('./routes/forwarding.tsx'), 'Forwarding'),
    page('/webhooks', () => import('./routes/webhooks.tsx'), 'Webhooks'),
    page('/webhooks/$webhookId', () => import('./routes/webhook.tsx'), 'Webhook'),
    page('/keys', () => import('./routes/keys.tsx'), 'Keys'),
    page('/analytics', () => import('./routes/analytics.tsx'), 'AnalyticsPage'),
    page('/audit', () => import('./routes/audit.tsx'), 'AuditLog'),
    page('/account', () => import('./routes/account.tsx'), 'AccountPage'),
    page('/admin', () => import('./routes/admin.tsx'), 'Admin'),
  ]),
])

export const router = createRouter({
  routeTree: routes,
  basepath: basePath || '/',
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingRows,
  defaultPendingMs: 300,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register { router: typeof router }
}
