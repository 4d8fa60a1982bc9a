import type { Certificate } from '#server/domain/x509/certificate.ts'

/** Keys that never leave their token: a smart card, a YubiKey, an HSM. */
export type KeyTokens = {
  /**
   * Opens the plugged-in tokens while `use` runs. A PIN given in it unlocks nothing for other users, and a vendor's
   * module that crashes or hangs ends `use` and nothing else.
   */
  withTokens<T>(use: (tokens: OpenTokens) => Promise<T>): Promise<T>
}

/** Each throws {@link TokenError}, whose message never holds a PIN. */
export type OpenTokens = {
  /** Those in the tokens that can be seen without a PIN. @param token only those in the token of this name */
  certificates(token?: string): Promise<TokenCertificate[]>
  /** Opens the token in which it is, until `use` ends. A wrong PIN counts there, and is never tried twice; the last try is left to the owner. */
  login(certificate: TokenCertificate, pin: string): Promise<void>
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the bytes, by the key of that certificate. */
  sign(certificate: TokenCertificate, bytes: Uint8Array): Promise<Uint8Array>
}

export type TokenCertificate = {
  /** The name of the token. */
  readonly token: string
  /** The number that its maker gave to the token; empty where it has none. */
  readonly serial: string
  readonly certificate: Certificate
}
