import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { Analytics } from '@mayfly-mail/sdk'
import { number } from '../../language.ts'
import classes from './analytics.module.css'
import { analyticsTexts } from './texts.ts'

const names = Object.keys(analyticsTexts.counters) as (keyof typeof analyticsTexts.counters)[]

/** The six counters of the account; `-` stands for those that are loading. */
export const Counters = ({ analytics }: { analytics: Analytics | undefined }) => (
  <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm" component="dl" m={0}>
    {names.map((name) => (
      <Paper key={name} withBorder p="md" className={classes['counter']}>
        <Text component="dt" size="sm" c="dimmed">{analyticsTexts.counters[name]}</Text>
        <Text component="dd" m={0} fz={28} fw={600} lh={1.3} className={classes['number']}>
          {analytics ? number(analytics[name]) : <Skeleton component="span" display="block" height={28} my={4} w={80} />}
        </Text>
      </Paper>
    ))}
  </SimpleGrid>
)
