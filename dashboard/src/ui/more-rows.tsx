import { Button, Center } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useEffect } from 'react'
import { texts } from '../texts.ts'

interface MoreRowsProps {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** The end of a list with pages: loads the next one when it comes into view, and by its button. */
export function MoreRows({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: MoreRowsProps) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' })
  const isInView = entry?.isIntersecting === true
  useEffect(() => {
    if (isInView && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) fetchNextPage()
  }, [isInView, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  if (!hasNextPage) return null
  return (
    <Center ref={ref} p="sm">
      <Button variant="subtle" size="compact-sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchNextPageError ? texts.retry : texts.more}
      </Button>
    </Center>
  )
}
