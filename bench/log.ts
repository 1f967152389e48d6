import { pino } from 'pino'
import { openActivity } from '../server/activity.ts'
import { systemClock } from '../server/clock.ts'
import { openLog } from '../server/log.ts'

/** `npm run bench -- log`: the processor time of the line about a mail, by the level of the log. */
const mails = 100_000
const perTurn = 20
for (const level of ['warn', 'info']) {
  const log = openLog(level, pino.destination({ dest: '/dev/null', sync: false }))
  const activity = openActivity(log, systemClock)
  const record = async (count: number) => {
    for (let i = 0; i < count; i++) {
      activity.record({
        kind: 'accepted', ids: ['01a2053a-0610-7276-8bbf-b4bf1dce327f'], from: 'shop@example.org', addresses: ['first@mail.localhost'],
        remoteAddress: '127.0.0.1', tls: false, bytes: 2048, ms: 12.345,
      })
      if (i % perTurn === 0) await new Promise(setImmediate)
    }
  }
  await record(mails / 5)
  const start = process.cpuUsage()
  await record(mails)
  const { user, system } = process.cpuUsage(start)
  console.log(`${level}: ${((user + system) / mails).toFixed(1)} microseconds a mail`)
}
