import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parse, stringify } from 'yaml'
import { limits } from '../../cli/doctor/database-load.ts'
import { operationsOf, readDocument } from '../../openapi/document.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { rawRequest } from '../support/raw-request.ts'

const folderOf = fileURLToPath(new URL('../../packaging/monitoring', import.meta.url))
const alertsFile = join(folderOf, 'alerts.yaml')
const rules = parse(readFileSync(alertsFile, 'utf8')).groups.flatMap(({ rules: all }: { rules: object[] }) => all) as { alert: string, expr: string, for: string }[]
const dashboard = JSON.parse(readFileSync(join(folderOf, 'dashboard.json'), 'utf8')) as {
  templating: { list: { name: string, query: string }[] }
  panels: { id: number, title: string, gridPos: Record<'x' | 'y' | 'w' | 'h', number>, targets: { expr: string, legendFormat: string }[] }[]
}
const targets = dashboard.panels.flatMap((panel) => panel.targets)
const expressions = [...rules, ...targets].map(({ expr }) => expr)

/** For each alert, series that make it fire after 45 minutes: their values at each minute. */
const firing: Record<string, Record<string, string>> = {
  MayflyDown: { 'up{job="mayfly", instance="a"}': '0x45' },
  MayflyDiskFull: { 'mayfly_free_bytes{instance="a"}': '1000000000x45' },
  MayflyMailRefused: { 'mayfly_smtp_refusals_total{instance="a", reason="storage_full"}': '0+1x45' },
  MayflyMailNotShown: { 'mayfly_emails_arriving{instance="a"}': '600x45' },
  MayflyRequestsFail: {
    'mayfly_http_requests_total{instance="a", operation="emails.list", status="500"}': '0+9x45',
    'mayfly_http_requests_total{instance="a", operation="emails.list", status="200"}': '0+97x45',
  },
  MayflyRequestsSlow: {
    'mayfly_http_request_seconds_bucket{instance="a", operation="emails.list", le="1"}': '0+90x45',
    'mayfly_http_request_seconds_bucket{instance="a", operation="emails.list", le="2.5"}': '0+100x45',
    'mayfly_http_request_seconds_bucket{instance="a", operation="emails.list", le="+Inf"}': '0+100x45',
  },
  MayflyJobsLate: { 'mayfly_jobs_oldest_due_age_seconds{instance="a", task="deliver-webhook"}': '400x45' },
  MayflyOutgoingMailFails: {
    'mayfly_mail_deliveries_total{instance="a", outcome="deferred"}': '0+6x45', 'mayfly_mail_deliveries_total{instance="a", outcome="sent"}': '0+4x45',
  },
  MayflyWebhooksFail: {
    'mayfly_webhook_deliveries_total{instance="a", outcome="failed"}': '0+6x45', 'mayfly_webhook_deliveries_total{instance="a", outcome="succeeded"}': '0+4x45',
  },
  MayflySearchBehind: { 'mayfly_search_pending_emails{instance="a", state="given_up"}': '1x45', 'mayfly_search_pending_emails{instance="a", state="waiting"}': '0x45' },
  MayflyTransactionOld: { 'mayfly_oldest_transaction_seconds{instance="a", holder="prepared"}': '4000x45' },
  MayflyVacuumHeldBack: { 'mayfly_vacuum_held_transactions{instance="a", holder="slot"}': '2000000x45' },
  MayflyDeadRows: {
    'mayfly_table_rows{instance="a", table="jobs", state="dead"}': '1500000x45', 'mayfly_table_rows{instance="a", table="jobs", state="live"}': '200x45',
  },
  MayflyCommitsWait: {
    'mayfly_commit_wait_seconds_bucket{instance="a", step="lock", le="0.5"}': '0+90x45',
    'mayfly_commit_wait_seconds_bucket{instance="a", step="lock", le="1"}': '0+100x45',
    'mayfly_commit_wait_seconds_bucket{instance="a", step="lock", le="+Inf"}': '0+100x45',
  },
  MayflySourcesWait: { 'mayfly_sources_waiting_bytes{instance="a"}': '300000000x45' },
  MayflyBusy: { 'nodejs_eventloop_lag_p99_seconds{job="mayfly", instance="a"}': '0.3x45' },
}

/** The series of a server without trouble: those of the alerts, with waits that take long, as they do. */
const healthy = {
  'up{job="mayfly", instance="a"}': '1x45',
  'mayfly_free_bytes{instance="a"}': '50000000000x45',
  'mayfly_smtp_refusals_total{instance="a", reason="storage_full"}': '0x45',
  'mayfly_smtp_refusals_total{instance="a", reason="unknown_recipient"}': '0+9x45',
  'mayfly_emails_arriving{instance="a"}': '3x45',
  'mayfly_http_requests_total{instance="a", operation="emails.list", status="404"}': '0+50x45',
  'mayfly_http_requests_total{instance="a", operation="emails.list", status="500"}': '0x45',
  'mayfly_http_request_seconds_bucket{instance="a", operation="emails.wait", le="30"}': '0x45',
  'mayfly_http_request_seconds_bucket{instance="a", operation="emails.wait", le="60"}': '0+9x45',
  'mayfly_http_request_seconds_bucket{instance="a", operation="emails.wait", le="+Inf"}': '0+9x45',
  'mayfly_jobs_oldest_due_age_seconds{instance="a", task="deliver-webhook"}': '2x45',
  'mayfly_mail_deliveries_total{instance="a", outcome="deferred"}': '0+1x45',
  'mayfly_mail_deliveries_total{instance="a", outcome="sent"}': '0+9x45',
  'mayfly_webhook_deliveries_total{instance="a", outcome="failed"}': '0+1x45',
  'mayfly_webhook_deliveries_total{instance="a", outcome="succeeded"}': '0+9x45',
  'mayfly_search_pending_emails{instance="a", state="waiting"}': '20x45',
  'mayfly_search_pending_emails{instance="a", state="given_up"}': '0x45',
  'mayfly_oldest_transaction_seconds{instance="a", holder="transaction"}': '600x45',
  'mayfly_oldest_transaction_seconds{instance="a", holder="prepared"}': '0x45',
  'mayfly_vacuum_held_transactions{instance="a", holder="slot"}': '500x45',
  'mayfly_table_rows{instance="a", table="emails", state="dead"}': '1500000x45',
  'mayfly_table_rows{instance="a", table="emails", state="live"}': '90000000x45',
  'mayfly_commit_wait_seconds_bucket{instance="a", step="commit", le="0.5"}': '0x45',
  'mayfly_commit_wait_seconds_bucket{instance="a", step="commit", le="1"}': '0+9x45',
  'mayfly_commit_wait_seconds_bucket{instance="a", step="commit", le="+Inf"}': '0+9x45',
  'mayfly_sources_waiting_bytes{instance="a"}': '20000000x45',
  'nodejs_eventloop_lag_p99_seconds{job="mayfly", instance="a"}': '0.02x45',
}

describe('Packaging: alerts of Prometheus and the dashboard of Grafana', () => {
  let folder: string
  /** By the name of each series of a server on a file, and of one on PostgreSQL, its labels, each with the values that there are. */
  const series = new Map<string, Map<string, Set<string>>>()

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-monitoring-'))
    const texts = [await metricsOf(await openTestApp()), await metricsOf(await openTestApp({
      database: await newPostgresDatabase(), env: { MAYFLY_SOURCES: pathToFileURL(folder).href },
    }))]
    for (const [, name, labels = ''] of texts.join('').matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      if (!series.has(name!)) series.set(name!, new Map())
      for (const [, label, value] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
        const values = series.get(name!)!
        values.set(label!, (values.get(label!) ?? new Set()).add(value!))
      }
    }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** After a mail and a request. */
  async function metricsOf(app: TestApp): Promise<string> {
    await using server = app
    const { address } = await server.newAddress()
    await server.send({ to: address, text: 'one' })
    await server.settled()
    await server.api('GET', '/emails')
    return (await rawRequest(server.url, { path: '/metrics' })).text
  }

  /** Labels that Prometheus adds, and `up`, which it makes. */
  const ofPrometheus = ['job', 'instance']
  const labelsOf = (name: string) => name === 'up' ? new Map<string, Set<string>>() : series.get(name)
  const namesIn = (expr: string) => expr.match(/\b(?:up|(?:mayfly|nodejs|process)_\w+)\b/g) ?? []

  it('have the limits of mayfly doctor for PostgreSQL', () => {
    const limitsOf = (alert: string) => [...rules.find((rule) => rule.alert === alert)!.expr.matchAll(/> ([\d.]+)/g)].map(([, limit]) => Number(limit))
    const { seconds, transactions, deadRows, deadShare, lockMs } = limits
    expect(limitsOf('MayflyTransactionOld')).to.deep.equal([seconds])
    expect(limitsOf('MayflyVacuumHeldBack')).to.deep.equal([transactions])
    expect(limitsOf('MayflyDeadRows')).to.deep.equal([deadRows, deadShare / (1 - deadShare)]) // of all rows, of those that are not dead
    expect(limitsOf('MayflyCommitsWait')).to.deep.equal([lockMs / 1_000])
  })

  it('name metrics that a server has', () => {
    expect(expressions).to.have.length.above(30)
    for (const expr of [...expressions, ...dashboard.templating.list.map(({ query }) => query).filter((query) => query.includes('('))]) {
      expect(namesIn(expr), expr).to.have.length.above(0)
      expect(namesIn(expr).filter((name) => !labelsOf(name)), expr).to.deep.equal([])
    }
  })

  it('select by labels and values that these metrics have', () => {
    const operations = [...operationsOf(readDocument()).map(({ operationId }) => operationId), 'none']
    let compared = 0
    for (const expr of expressions) {
      for (const [, name, selectors] of expr.matchAll(/(\w+)\{([^}]*)\}/g)) {
        for (const [, label, operator, value] of selectors!.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
          if (ofPrometheus.includes(label!)) continue
          const values = labelsOf(name!)!.get(label!)
          expect(values, `${label} in ${expr}`).to.not.equal(undefined)
          if (label === 'status') continue // those of answers so far
          const known = label === 'operation' ? operations : [...values!]
          expect(value!.split('|').filter((each) => !known.includes(each)), `${operator} in ${expr}`).to.deep.equal([])
          compared++
        }
      }
    }
    expect(compared).to.be.above(5)
  })

  it('group by, and show, labels that these metrics have', () => {
    const known = (expr: string) => [...ofPrometheus, ...namesIn(expr).flatMap((name) => [...labelsOf(name)!.keys()])]
    for (const expr of expressions) {
      const labels = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(', '))
      expect(labels.filter((label) => !known(expr).includes(label)), expr).to.deep.equal([])
    }
    for (const { expr, legendFormat } of targets) {
      const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!)
      const kept = /\bby \(([^)]*)\)/.exec(expr)?.[1]!.split(', ') ?? known(expr)
      expect(labels.filter((label) => !kept.includes(label)), expr).to.deep.equal([])
    }
  })

  it('show no panel on top of another', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + i % w} ${y + Math.floor(i / w)}`))
    expect(new Set(cells).size).to.equal(cells.length)
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).to.equal(true)
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).to.equal(dashboard.panels.length)
  })

  it('are accepted by Prometheus, and each alert fires for its trouble alone', () => {
    expect(Object.keys(firing)).to.deep.equal(rules.map(({ alert }) => alert))
    if (spawnSync('promtool', ['--version']).error) return void console.log('      (no promtool on this machine: rules are not verified. apt install prometheus)')
    const promtool = (command: string, file: string, content: object) => {
      const path = join(folder, file)
      writeFileSync(path, stringify(content))
      const { status, stdout, stderr } = spawnSync('promtool', [command, 'rules', path], { encoding: 'utf8' })
      expect(status, stdout + stderr).to.equal(0)
    }
    const ofPanels = targets.map(({ expr }, i) => ({ record: `panel:${i}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
    promtool('check', 'panels.yaml', { groups: [{ name: 'panels', rules: ofPanels }] })
    const asInput = (all: Record<string, string>) => Object.entries(all).map(([name, values]) => ({ series: name, values }))
    const at = '45m'
    promtool('test', 'alerts.yaml', {
      rule_files: [alertsFile],
      evaluation_interval: '1m',
      tests: [
        ...rules.map(({ alert }) => ({
          interval: '1m', input_series: asInput({ ...healthy, ...firing[alert] }),
          // by an expression, since labels and texts are not compared
          promql_expr_test: [{ expr: 'sum(ALERTS{alertstate="firing"}) by (alertname)', eval_time: at, exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }] }],
        })),
        { interval: '1m', input_series: asInput(healthy), promql_expr_test: [{ expr: 'sum(ALERTS{alertstate="firing"})', eval_time: at, exp_samples: [] }] },
      ],
    })
  })
})
