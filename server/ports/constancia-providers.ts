import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'

/** The providers of constancias of conservation (NOM-151-SCFI-2016), asked over HTTP. */
export type ConstanciaProviders = {
  /**
   * Sends the request, which is repeated as it is after a failure, so that the provider can tell that it was
   * answered already. Ends within a minute. Never throws for what the provider does; nothing that comes back is
   * believed yet. Never inside of a transaction.
   *
   * @throws {Problem} `secret-unreadable` when the password of the provider does not open
   */
  ask(provider: ServiceProvider, request: Uint8Array): Promise<ProviderAnswer>
}

export type ProviderAnswer =
  | { kind: 'answered'; body: Uint8Array }
  /** `reason` is for the log. */
  | { kind: 'failed'; isSlow: boolean; reason: string }
