/** Requests of a page to the process that opened it. */
export interface Host {
  deliver(to: string, source: string): Promise<void>
  agree(email: string): Promise<void>
  /** The deliveries to a webhook so far, once all that is due is done. */
  webhookDeliveries(): Promise<{ body: string, headers: Record<string, string> }[]>
}

/** The data that a page needs. */
export interface Settings {
  url: string
  key: string
  testKey: string
  /** Where webhooks may call. */
  endpoint: string
}

/** The functions of a page for the process that opened it. */
export interface Page {
  begin(): Promise<void>
  /** Runs a test. @returns its error */
  run(title: string): Promise<string | undefined>
  end(): Promise<void>
}
