import { Stack, Text, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { basePath } from '../../api/base.ts'
import { keys } from '../../api/keys.ts'
import { reloadOtherTabs } from '../../api/other-tabs.ts'
import { dataOf, membershipsList, sessionsSwitch } from '../../api/own-operations.ts'
import { queryClient } from '../../api/query-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import classes from './account-switcher.module.css'
import { roleName, memberTexts } from './texts.ts'

const texts = memberTexts.switcher

/** The accounts of the person: a press shows another one, in all tabs of the browser. */
export function AccountSwitcher({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: keys.memberships, queryFn: () => dataOf(membershipsList()) })
  const change = useMutation({ mutationFn: (accountId: string) => sessionsSwitch({ body: { accountId } }), onSuccess: showAccount })
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {!data && (error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows height={48} count={2} />)}
      <Stack gap={4} role="group" aria-label={texts.list}>
        {data?.map(({ accountId, email, role, isCurrent }) => (
          <UnstyledButton
            key={accountId} className={classes['account']} aria-current={isCurrent || undefined} disabled={isCurrent || change.isPending}
            onClick={() => change.mutate(accountId)}
          >
            <Text size="sm" fw={500}><bdi>{email}</bdi></Text>
            <Text size="xs" c="dimmed">{roleName(role)}{isCurrent && `, ${texts.current}`}</Text>
          </UnstyledButton>
        ))}
      </Stack>
    </Dialog>
  )
}

/** The page is loaded again, so that nothing of the other account stays in memory. */
function showAccount() {
  reloadOtherTabs()
  queryClient.clear()
  location.assign(`${basePath}/mail`)
}
