import { baseUrl } from './base.ts'
import { client } from './generated/client.gen.ts'
import { dashboardError, sendWithSession } from './session.ts'

/** The operations that only the dashboard may call. */
export * from './generated/sdk.gen.ts'

client.setConfig({ baseUrl, fetch: (input, init) => sendWithSession(new Request(input, init)) })
client.interceptors.error.use((error, response) => response ? dashboardError(error, response.status) : error)

/** @returns the `data` of an answer. @throws DashboardApiError, NetworkError without a connection */
export const dataOf = async <Data>(call: Promise<{ data: { data: Data } }>): Promise<Data> => (await call).data.data
