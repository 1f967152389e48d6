import { Notifications } from '@mantine/notifications'

export const NoticesList = () => <Notifications position="bottom-center" limit={3} />
