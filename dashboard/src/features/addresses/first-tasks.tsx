import { ActionIcon, Anchor, Group, Title } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconX } from '../../ui/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../../api/account.ts'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import classes from './first-steps.module.css'
import { firstTasks, hideFirstTasks } from './task-record.ts'
import { formTexts } from './form-texts.ts'
import { useAddresses } from './use-addresses.ts'

const texts = formTexts.tasks

/** The first tasks of a new account, with ticks. @param props.isHidable shows a button that hides it permanently */
export function FirstTasks({ isHidable = false }: { isHidable?: boolean }) {
  const { hasApi } = useAccount()
  const record = firstTasks.use()
  const { rows } = useAddresses('all')
  const apiKeys = useQuery({ queryKey: keys.apiKeys, queryFn: async () => mayfly.apiKeys.list(), enabled: hasApi })
  const tasks = [
    { name: texts.list.arrived, isDone: record.hasCopied || rows.some(({ lastEmailAt }) => lastEmailAt) },
    { name: texts.list.copied, isDone: record.hasCopied },
    ...hasApi ? [{ name: texts.list.key, isDone: (apiKeys.data?.length ?? 0) > 0, to: '/keys' as const }] : [],
  ]
  return (
    <section aria-labelledby="first-tasks" className={classes['tasks']}>
      <Group gap={4} mb={6}>
        <Title order={3} id="first-tasks">{texts.title}</Title>
        {isHidable && (
          <ActionIcon variant="subtle" color="gray" aria-label={texts.hide} title={texts.hide} onClick={hideFirstTasks}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <ul className={classes['list']}>
        {tasks.map(({ name, isDone, to }) => (
          <li key={name} data-done={isDone || undefined}>
            {isDone
              ? <IconCircleCheckFilled size={18} role="img" aria-label={texts.done} />
              : <IconCircle size={18} role="img" aria-label={texts.open} />}
            <span>{name}</span>
            {!isDone && to && <Anchor component={Link} to={to} size="sm" underline="always">{texts.keyAction}</Anchor>}
          </li>
        ))}
      </ul>
    </section>
  )
}
