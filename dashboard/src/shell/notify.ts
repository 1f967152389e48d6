import type { EmailReceivedEvent } from '@mayfly-mail/sdk'
import { basePath } from '../api/base.ts'
import { mayfly } from '../api/session.ts'
import { texts } from '../texts.ts'
import { showDone } from '../ui/notify.tsx'
import { storedValue } from '../ui/stored-value.ts'

/** Whether the user has asked for notifications. */
const isWanted = storedValue('mayfly-notify', false, (value) => typeof value === 'boolean')

// eslint-disable-next-line no-restricted-globals -- on other pages the button is not shown
const BrowserNotification = 'Notification' in window ? Notification : undefined

export const hasNotifications = BrowserNotification !== undefined

const isOn = (asked: boolean): boolean => asked && BrowserNotification?.permission === 'granted'

export const useNotifying = (): boolean => isOn(isWanted.use())

export async function toggleNotifying() {
  if (isOn(isWanted.read())) isWanted.write(false)
  else if (await BrowserNotification?.requestPermission() === 'granted') isWanted.write(true)
  else showDone(texts.notify.refused)
}

/** Shows a mail with its code, unless the page has the focus. All tabs show the same one: those with one tag replace each other. */
export async function notifyOf({ emailId, addressId, from, subject }: EmailReceivedEvent['data']) {
  if (!BrowserNotification || !isOn(isWanted.read()) || document.hasFocus()) return
  const { codes: [code], fromName } = await mayfly.emails.get(emailId)
  const name = fromName || from
  const notification = new BrowserNotification(code ? `${name}: ${code}` : name, { body: subject, tag: emailId })
  notification.onclick = () => {
    window.focus()
    location.assign(`${basePath}/mail/${addressId}/${emailId}`)
  }
}
