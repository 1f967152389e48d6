import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LoadingRows } from '../ui/states.tsx'
import { Page } from '../ui/page.tsx'

const MailReader = lazy(() => import('../features/mail-reader/reader.tsx').then((module) => ({ default: module.MailReader })))

export function Mail() {
  const { addressId, emailId } = useParams({ strict: false })
  const navigate = useNavigate()
  if (!emailId) return <Page title="Mail">{null}</Page>
  return (
    <Page title="Mail">
      <Suspense fallback={<LoadingRows />}>
        <MailReader emailId={emailId} onClose={() => void navigate({ to: '/mail/$addressId', params: { addressId: addressId ?? 'all' } })} />
      </Suspense>
    </Page>
  )
}
