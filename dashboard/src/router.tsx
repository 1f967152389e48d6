import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { accountQuery } from './api/account.ts'
import { basePath } from './api/base.ts'
import { isSignedOut } from './api/errors.ts'
import { queryClient } from './api/query-client.ts'
import { readMailSearch } from './features/mail-list/mail-search.ts'
import { ownPath } from './features/sign-in/own-path.ts'
import { Mail } from './routes/mail.tsx'
import { NotFound } from './routes/not-found.tsx'
import { RouteError } from './routes/route-error.tsx'
import { Shell } from './shell/shell.tsx'
import { lazyPart } from './ui/lazy-part.tsx'
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

const page = <Path extends string>(path: Path, load: () => Promise<ComponentType>) =>
  createRoute({ getParentRoute: () => signedIn, path, component: lazyPart(load, <LoadingRows />) })

/** Stays mounted while its path changes, so that the lists keep their place. */
const mail = createRoute({
  getParentRoute: () => signedIn,
  path: '/mail',
  validateSearch: readMailSearch,
  component: Mail,
})
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
    component: lazyPart(async () => (await import('./routes/sign-in.tsx')).SignIn, <LoadingRows />),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/shared',
    component: lazyPart(async () => (await import('./routes/shared.tsx')).SharedInbox, <LoadingRows />),
  }),
  signedIn.addChildren([
    createRoute({ getParentRoute: () => signedIn, path: '/', beforeLoad() { throw redirect({ to: '/mail' }) } }),
    mail.addChildren([mailPath('/'), mailPath('$addressId'), mailPath('$addressId/$emailId')]),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/send',
      validateSearch: ({ reply }: Record<string, unknown>): { reply?: string | undefined } => ({ reply: typeof reply === 'string' ? reply : undefined }),
      component: lazyPart(async () => (await import('./routes/send.tsx')).Send, <LoadingRows />),
    }),
    page('/domains', async () => (await import('./routes/domains.tsx')).Domains),
    page('/forwarding', async () => (await import('./routes/forwarding.tsx')).Forwarding),
    page('/webhooks', async () => (await import('./routes/webhooks.tsx')).Webhooks),
    page('/webhooks/$webhookId', async () => (await import('./routes/webhook.tsx')).Webhook),
    page('/keys', async () => (await import('./routes/keys.tsx')).Keys),
    page('/analytics', async () => (await import('./routes/analytics.tsx')).AnalyticsPage),
    page('/audit', async () => (await import('./routes/audit.tsx')).AuditLog),
    page('/account', async () => (await import('./routes/account.tsx')).AccountPage),
    page('/members', async () => (await import('./routes/members.tsx')).Members),
    page('/admin', async () => (await import('./routes/admin.tsx')).Admin),
    createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound }),
  ]),
])

function stringifySearch(search: Record<string, unknown>): string {
  const texts = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''
}

export const router = createRouter({
  routeTree: routes,
  basepath: basePath || '/',
  // texts as they are: by default those that look like JSON are in quotation marks
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingRows,
  defaultErrorComponent: RouteError, // of each page, so that the navigation stays
  defaultPendingMs: 300,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register { router: typeof router }
}
