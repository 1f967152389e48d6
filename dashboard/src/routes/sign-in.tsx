import { MayflyError } from '@mayfly-mail/sdk'
import { Button, Center, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../api/account.ts'
import { basePath } from '../api/base.ts'
import { isMissing, isSignedOut } from '../api/errors.ts'
import { sessionsCreate, signInLinksCreate } from '../api/own-operations.ts'
import { queryClient } from '../api/query-client.ts'
import { signInTexts as texts } from '../features/sign-in/texts.ts'
import { describeError } from '../ui/describe-error.ts'
import { useTitle } from '../ui/page.tsx'

/** The page of a sign-in link, whose token is the fragment, and of the form that requests one. */
export function SignIn() {
  useTitle(texts.title)
  const token = useLocation({ select: ({ hash }) => hash })
  return (
    <Center mih="100%" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Title order={1} mb="md">{texts.title}</Title>
        {token ? <ConfirmSignIn token={token} /> : <RequestLink />}
      </Paper>
    </Center>
  )
}

/** Signs in only when its button is pressed: mail scanners follow links. */
function ConfirmSignIn({ token }: { token: string }) {
  const navigate = useNavigate()
  const goOn = useGoOn()
  const signIn = useMutation({
    meta: { showsOwnError: true },
    async mutationFn() {
      await sessionsCreate({ body: { token } })
      queryClient.clear()
      await queryClient.fetchQuery(accountQuery).catch((error: unknown) => {
        throw isSignedOut(error) ? new MayflyError(texts.notKept) : error
      })
    },
    onSuccess: goOn,
  })
  const isUnusable = signIn.isError && isMissing(signIn.error)
  return (
    <Stack>
      {!isUnusable && <Text size="sm">{texts.confirm}</Text>}
      {signIn.isError && <Text c="red" size="sm" role="alert">{describeError(signIn.error)}</Text>}
      {!isUnusable && <Button loading={signIn.isPending} onClick={() => signIn.mutate()} autoFocus>{texts.signIn}</Button>}
      <OpenSession isUsable={!isUnusable} />
      {signIn.isError && (
        <Button variant={isUnusable ? 'filled' : 'subtle'} onClick={() => void navigate({ to: '/sign-in', search: true, replace: true })}>
          {texts.another}
        </Button>
      )}
    </Stack>
  )
}

/** Replaces the page in the history of the browser, so that no entry has the token. */
function useGoOn() {
  const { history } = useRouter()
  const { to } = useSearch({ from: '/sign-in' })
  return () => history.replace(basePath + (to ?? '/mail'))
}

/** For a browser that has a session already: the link may be opened a second time, or be of another account, from a stranger. */
function OpenSession({ isUsable }: { isUsable: boolean }) {
  const { data: account } = useQuery({ ...accountQuery, retry: false })
  const goOn = useGoOn()
  if (!account) return null
  return (
    <>
      {isUsable && <Text size="sm" role="note">{texts.replaces(account.email)}</Text>}
      <Button variant="default" onClick={goOn}>{texts.goOn(account.email)}</Button>
    </>
  )
}

function RequestLink() {
  const [email, setEmail] = useState('')
  const request = useMutation({
    meta: { showsOwnError: true },
    mutationFn: () => signInLinksCreate({ body: { email: email.trim() } }),
  })
  if (request.isSuccess) {
    return (
      <Stack>
        <Text size="sm" role="status">{texts.sent(email)}</Text>
        <CommandLine />
      </Stack>
    )
  }
  return (
    <form onSubmit={(event) => { event.preventDefault(); request.mutate() }}>
      <Stack>
        <Text size="sm">{texts.request}</Text>
        <TextInput
          label={texts.email} type="email" autoComplete="email" required value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={request.isError && describeError(request.error)}
        />
        <Button type="submit" loading={request.isPending}>{texts.send}</Button>
        <ByProvider />
        <CommandLine />
      </Stack>
    </form>
  )
}

/** The host of the sign-in provider, which the server writes into the page. */
const provider = document.querySelector<HTMLMetaElement>('meta[name="sign-in-provider"]')?.content

function ByProvider() {
  const { to } = useSearch({ from: '/sign-in' })
  if (!provider) return null
  const search = to ? `?${new URLSearchParams({ to })}` : ''
  return <Button variant="default" component="a" href={`${basePath}/sign-in/begin${search}`}>{texts.byProvider(provider)}</Button>
}

/** How to sign in without mail. */
const CommandLine = () => <Text size="xs" c="dimmed">{texts.commandLine}</Text>
