import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'

/** Providers of constancias de conservación (NOM-151-SCFI-2016), over HTTP. */
export type ConstanciaProviders = {
  /**
   * Sends a request. After a failure, repeat exactly the same bytes, so that the provider recognizes the
   * request. Ends within a minute; never throws for provider errors; the answer is not verified. Never call it
   * inside a transaction.
   *
   * @throws {Problem} `secret-unreadable` when the provider's password cannot be unsealed
   */
  ask(provider: ServiceProvider, request: Uint8Array): Promise<ProviderAnswer>

  /**
   * Whether the provider's server answers at all. Asks for no constancia, which could cost money, and does not send
   * the password.
   *
   * @returns the reason why not
   */
  reach(provider: ServiceProvider): Promise<string | undefined>
}

export type ProviderAnswer =
  | { kind: 'answered'; body: Uint8Array }
  /**
   * `isSlow`: it took longer than it may. `isSilent`: no server answered at the address, so that another office would wait in
   * vain, too. `reason` is for the log.
   */
  | { kind: 'failed'; isSlow: boolean; isSilent: boolean; reason: string }
