import { number, translated } from '../../language.ts'

export const auditTexts = translated('auditTexts', {
  title: 'Audit log',
  description: 'Every call of the API by a key or a session of this account, the refused ones too. The newest comes first.',
  filter: 'Filter',
  filterHint: 'Action such as emails.send, or an id',
  results: 'Result',
  anyResult: 'All results',
  result: { succeeded: 'Succeeded', refused: 'Refused (4xx)', failed: 'Server errors (5xx)' },
  callers: 'Caller',
  anyCaller: 'Any key or session',
  time: 'Time',
  times: { any: 'Any time', hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days' },
  reads: 'Show reads',
  columns: { action: 'Action', status: 'Status', caller: 'Caller', resource: 'Resource', ip: 'IP address', time: 'Time' },
  session: 'session',
  deletedKey: 'Revoked key',
  server: 'Server',
  timesOf: (count: number) => `× ${number(count)}`,
  timesHint: (count: number) => `${number(count)} calls with the same key, operation and status are counted together`,
  empty: { title: 'No change yet', text: 'Changes appear here as soon as a key or this page makes one. Reads are hidden.' },
  noMatch: { title: 'No call matches', text: 'Change the filter, or show reads.' },
})
