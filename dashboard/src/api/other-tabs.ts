import { basePath } from './base.ts'

/** The tabs of the browser, which share its session; the reference listens too. */
const name = `mayfly-account${basePath}`

/** Has the other tabs show the account that the session shows now. */
export const reloadOtherTabs = () => new BroadcastChannel(name).postMessage('switched')

/** @returns a function that ends it */
export function followOtherTabs(): () => void {
  const channel = new BroadcastChannel(name)
  channel.onmessage = () => location.assign(`${basePath}/mail`)
  return () => channel.close()
}
