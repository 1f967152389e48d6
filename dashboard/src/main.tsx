import './mantine.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { accountQuery } from './api/account.ts'
import { accountInPage } from './api/in-page.ts'
import { queryClient } from './api/query-client.ts'
import { styleNonce } from './csp.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'
import { Notices } from './ui/notices.tsx'

/** A function, since parts that the router loads import this module, and would wait for its end. */
async function start() {
  if (accountInPage) {
    queryClient.setQueryData(accountQuery.queryKey, accountInPage)
    await router.load() // the frame of index.html is shown until there is a page
  }
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Notices />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

void start()
