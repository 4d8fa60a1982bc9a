import type { Certificate } from '#server/domain/x509/certificate.ts'

/** Keys that never leave their token: a smart card, a YubiKey, an HSM. */
export type KeyTokens = {
  /**
   * Opens the plugged-in tokens while `use` runs. A PIN given in it unlocks nothing for other users, and a vendor's
   * module that crashes or hangs ends `use` and nothing else.
   */
  withTokens<T>(use: (tokens: OpenTokens) => Promise<T>): Promise<T>
}

/** Every method throws {@link TokenError}, whose message never contains a PIN. */
export type OpenTokens = {
  /** The certificates visible without a PIN. @param token restricts them to the token with this label */
  certificates(token?: string): Promise<TokenCertificate[]>
  /**
   * Logs in to the certificate's token until `use` ends. A wrong PIN is counted by the token and never tried
   * twice; the last attempt is left to the owner.
   */
  login(certificate: TokenCertificate, pin: string): Promise<void>
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the bytes, with the certificate's key. */
  sign(certificate: TokenCertificate, bytes: Uint8Array): Promise<Uint8Array>
}

export type TokenCertificate = {
  /** The label of the token. */
  readonly token: string
  /** The serial number of the token; empty if it has none. */
  readonly serial: string
  readonly certificate: Certificate
}
