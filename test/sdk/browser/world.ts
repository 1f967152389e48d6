/** Requests of a page to the process that opened it. */
export interface Host {
  deliver(to: string, source: string): Promise<void>
  agree(email: string): Promise<void>
  /** The deliveries to a webhook so far, after all due jobs have run. */
  webhookDeliveries(): Promise<{ body: string, headers: Record<string, string> }[]>
}

/** The data that a page needs. */
export interface Settings {
  url: string
  key: string
  testKey: string
  /** The URL for webhooks. */
  endpoint: string
}

/** The functions of a page for the process that opened it. */
export interface Page {
  begin(): Promise<void>
  /** Runs a test. @returns its error */
  run(title: string): Promise<string | undefined>
  end(): Promise<void>
}
