import type { ReactNode, SVGProps } from 'react'
import paths from './icons.json'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Pixels of each side. */
  size: number
  /** Width of the lines, on a grid of 24. */
  stroke?: number
}

/**
 * Icons of Tabler (tabler.io/icons, MIT: icons.licence.md), by the name that they have there. `icons.json` has the data of their paths: the
 * package of all icons has 18,000 files.
 */
const icon = (name: keyof typeof paths) => ({ size, stroke = 2, ...props }: IconProps): ReactNode => (
  <svg
    xmlns="http://www.w3.org/2000/svg" width={size} height={size} viewBox="0 0 24 24" strokeLinecap="round" strokeLinejoin="round"
    {...name.endsWith('Filled') ? { fill: 'currentColor', stroke: 'none' } : { fill: 'none', stroke: 'currentColor', strokeWidth: stroke }}
    {...props}
  >
    {paths[name].map((d) => <path key={d} d={d} />)}
  </svg>
)

export const IconAdjustmentsHorizontal = icon('AdjustmentsHorizontal')
export const IconApi = icon('Api')
export const IconArrowBackUp = icon('ArrowBackUp')
export const IconArrowLeft = icon('ArrowLeft')
export const IconBaselineDensityMedium = icon('BaselineDensityMedium')
export const IconBaselineDensitySmall = icon('BaselineDensitySmall')
export const IconBell = icon('Bell')
export const IconBellRinging = icon('BellRinging')
export const IconBookmarkPlus = icon('BookmarkPlus')
export const IconChartBar = icon('ChartBar')
export const IconCheck = icon('Check')
export const IconChecks = icon('Checks')
export const IconChevronDown = icon('ChevronDown')
export const IconChevronLeft = icon('ChevronLeft')
export const IconChevronRight = icon('ChevronRight')
export const IconChevronUp = icon('ChevronUp')
export const IconCircle = icon('Circle')
export const IconCircleCheck = icon('CircleCheck')
export const IconCircleCheckFilled = icon('CircleCheckFilled')
export const IconCircleMinus = icon('CircleMinus')
export const IconCircleX = icon('CircleX')
export const IconCode = icon('Code')
export const IconCommand = icon('Command')
export const IconCopy = icon('Copy')
export const IconDeviceDesktop = icon('DeviceDesktop')
export const IconDeviceMobile = icon('DeviceMobile')
export const IconDeviceTablet = icon('DeviceTablet')
export const IconDots = icon('Dots')
export const IconDownload = icon('Download')
export const IconExternalLink = icon('ExternalLink')
export const IconEye = icon('Eye')
export const IconFlask = icon('Flask')
export const IconHistory = icon('History')
export const IconInbox = icon('Inbox')
export const IconKey = icon('Key')
export const IconListCheck = icon('ListCheck')
export const IconLock = icon('Lock')
export const IconMail = icon('Mail')
export const IconMailForward = icon('MailForward')
export const IconMailOpened = icon('MailOpened')
export const IconMenu2 = icon('Menu2')
export const IconMinus = icon('Minus')
export const IconMoon = icon('Moon')
export const IconNote = icon('Note')
export const IconPaperclip = icon('Paperclip')
export const IconPin = icon('Pin')
export const IconPinFilled = icon('PinFilled')
export const IconPlug = icon('Plug')
export const IconPlus = icon('Plus')
export const IconPrinter = icon('Printer')
export const IconQrcode = icon('Qrcode')
export const IconRefresh = icon('Refresh')
export const IconSearch = icon('Search')
export const IconSend = icon('Send')
export const IconShare = icon('Share')
export const IconShare3 = icon('Share3')
export const IconStar = icon('Star')
export const IconStarFilled = icon('StarFilled')
export const IconSun = icon('Sun')
export const IconSwitchHorizontal = icon('SwitchHorizontal')
export const IconTrash = icon('Trash')
export const IconUser = icon('User')
export const IconUsers = icon('Users')
export const IconUsersGroup = icon('UsersGroup')
export const IconWebhook = icon('Webhook')
export const IconWorld = icon('World')
export const IconX = icon('X')
