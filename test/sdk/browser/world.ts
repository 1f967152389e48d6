/** What a page asks of the process that has opened it. */
export interface Host {
  deliver(to: string, source: string): Promise<void>
  agree(email: string): Promise<void>
  /** The deliveries to a webhook so far, once all that is due is done. */
  webhookDeliveries(): Promise<{ body: string, headers: Record<string, string> }[]>
}

/** What a page has to know. */
export interface Settings {
  url: string
  key: string
  testKey: string
  /** Where webhooks may call. */
  endpoint: string
}

/** What a page offers to the process that has opened it. */
export interface Page {
  begin(): Promise<void>
  /** Runs a test. @returns what it failed with */
  run(title: string): Promise<string | undefined>
  end(): Promise<void>
}
