import type { ActivityNotice } from '../../server/activity.ts'
import { timestamp } from '../../server/clock.ts'
import { offersStartTls } from '../../server/config/smtp-ports.ts'
import type { App } from '../../server/context.ts'
import { waitAtMost } from '../../server/deadline.ts'
import { findCodes } from '../../server/store/mail/arrivals.ts'
import { readVersion } from '../../server/version.ts'
import { showActivity } from '../client/show-activity.ts'
import { copyToClipboard, join, line, paint, print } from '../output.ts'
import type { Text } from '../output.ts'
import type { Announcements, NewLink } from './announcements.ts'
import { openUrl } from './open-url.ts'
import { watchKeys } from './watch-keys.ts'

/** Maximum mails whose codes are read at once. Of further ones, the line has no code. */
const maxReading = 20

/** Time after which the panel says that the dashboard is being built. */
const buildNoticeMs = 500

/** Announces to a person at a terminal: a panel, then what happens to mail and webhooks, with some keys. */
export function openPanel(app: App): Announcements {
  let first: { account: string, key: string | undefined } | undefined
  let lastCode: string | undefined
  let restore: (() => void) | undefined
  let reading = 0
  let isClosed = false
  let newLink: NewLink | undefined
  const stopActivity = app.log.isLevelEnabled('info') ? app.activity.listen((event) => { void show(event) }) : () => {}
  return {
    account(account, key) {
      first = { account, key }
    },
    listening({ http, smtp, submission, smtps }) {
      const started = `ready in ${(performance.now() / 1000).toFixed(1)} s`
      write(line`\n  ${paint('bold', `Mayfly ${readVersion()}`)}  ${paint('dim', started)}\n`)
      row('SMTP', smtp, offersStartTls(app.config.smtp) ? 'no user, STARTTLS' : 'no user, no TLS')
      if (submission) row('', submission, 'user of an address, STARTTLS')
      if (smtps) row('', smtps, 'user of an address, TLS')
      row('API', http, 'its reference is at /docs')
      if (first?.key) row('API key', `export MAYFLY_API_KEY=${first.key}`, 'shown once')
      else if (first) row('API key', 'that of MAYFLY_INITIAL_API_KEY')
      restore = watchKeys({ o: withLink(openLink), l: withLink(showLink), q: withLink(showCode), c: copyCode })
    },
    catchAll: (address, networks) => row('Catch-all', address, `mail to all other addresses, from ${networks.join(', ')}`),
    async dashboard(building, makeLink) {
      if (await waitAtMost(buildNoticeMs, building) === undefined) row('Dashboard', 'its pages are being built; the link follows')
      const isBuilt = await building
      const url = isBuilt ? await makeLink() : undefined
      if (isClosed) return
      if (url) {
        newLink = makeLink
        showLink(url)
      } else if (isBuilt) row('Dashboard', app.baseUrl(), '"mayfly account sign-in EMAIL" makes a link')
      if (restore) write(line`\n  ${keysOf({ ...url && { o: 'open', l: 'new link', q: 'QR code' }, 'c': 'copy the last code', 'Ctrl-C': 'end' })}\n`)
    },
    close() {
      stopActivity()
      restore?.()
      restore = undefined
      isClosed = true
    },
  }

  async function show(event: ActivityNotice) {
    const at = timestamp(app.clock.now())
    const codes = event.kind === 'accepted' ? await codesOf(event.ids[0]) : []
    lastCode = codes[0] ?? lastCode
    write(showActivity({ ...event, at, codes }, { isShort: true }))
  }

  async function codesOf(id: string | undefined): Promise<string[]> {
    if (id === undefined || reading === maxReading) return []
    reading++
    try {
      return await findCodes(app.db, id)
    } catch {
      return [] // a database that does not answer is reported by the log
    } finally {
      reading--
    }
  }

  /** A new link for each use, because a link works once. */
  function withLink(use: (url: string) => unknown) {
    return () => {
      if (!newLink) write('  The dashboard has no link yet.')
      else void newLink().then((url) => url && use(url))
    }
  }

  function copyCode() {
    if (lastCode === undefined) return write('  No mail with a code has come yet.')
    copyToClipboard(lastCode)
    write(line`  Copied ${paint('bold', lastCode)}.`)
  }
}

async function openLink(url: string) {
  if (await openUrl(url)) write('  Opened in the browser.')
  else showLink(url, 'no browser could be opened: open this link')
}

async function showCode(url: string) {
  const { renderUnicodeCompact } = await import('uqr')
  write(join(renderUnicodeCompact(url, { border: 2 }).split('\n').map((row) => line`  ${paint(['whiteBright', 'bgBlack'], row)}`), '\n'))
  showLink(url)
}

function showLink(url: string, note = 'signs a browser in, once, within 15 minutes') {
  row('Dashboard', url)
  row('', note)
}

function row(title: string, value: string, note = '') {
  const shown = paint(value.startsWith('http') ? 'cyan' : title ? 'reset' : 'dim', value)
  write(join([line`  ${paint('bold', title.padEnd(10))} ${shown}`, ...note ? [paint('dim', note)] : []], '   '))
}

const keysOf = (keys: Record<string, string>): Text =>
  join(Object.entries(keys).map(([key, does]) => line`${paint('bold', key)} ${paint('dim', does)}`), '   ')

const write = (text: Text) => print({}, text, (same) => same)
