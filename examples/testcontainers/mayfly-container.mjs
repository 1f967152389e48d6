import { GenericContainer, Wait } from 'testcontainers'

/** A server for tests that takes mail of any app, with any login or none, from any network. */
const environment = {
  MAYFLY_CATCH_ALL: 'app', // mail to addresses that no test has issued arrives in app@mail.localhost
  MAYFLY_CATCH_ALL_NETWORKS: '0.0.0.0/0,::/0', // the app is outside of the container
  MAYFLY_SMTP_INSECURE_AUTH: 'true',
  MAYFLY_RATE_LIMIT: '0',
}

/**
 * Starts the image of packaging/Dockerfile in a container.
 * @returns what the SDK and the app under test need, with the names of the variables that they read, and `stop`
 */
export async function startMayfly(image = 'mayfly') {
  const container = await new GenericContainer(image)
    .withEnvironment(environment)
    .withExposedPorts(3000, 2525)
    .withWaitStrategy(Wait.forHttp('/readyz', 3000))
    .start()
  const host = container.getHost()
  const smtpPort = String(container.getMappedPort(2525))
  return {
    MAYFLY_BASE_URL: `http://${host}:${container.getMappedPort(3000)}`,
    MAYFLY_API_KEY: await readKey(await container.logs()),
    SMTP_HOST: host,
    SMTP_PORT: smtpPort,
    SMTP_URL: `smtp://${host}:${smtpPort}`,
    stop: () => container.stop(),
  }
}

/** The log begins with the key of the new database: {"event":"account","account":"owner@mail.localhost","key":"svc_live_…"}. */
async function readKey(/** @type {import('node:stream').Readable} */ logs) {
  let text = ''
  for await (const part of logs) {
    text += part
    const found = /"event":"account".*"key":"(svc_live_\w+)"/.exec(text)?.[1]
    if (found) return found
  }
  throw new Error(`The container has not shown a key: ${text}`)
}
