/** Why a token (smart card, YubiKey, HSM) gave no signature. */
export type TokenRefusal =
  | 'module-unusable'
  | 'no-token'
  | 'no-certificate'
  | 'no-key'
  | 'wrong-pin'
  | 'wrong-pin-last-try'
  /** The token says that one more wrong PIN locks it: the PIN was not tried. */
  | 'pin-last-try'
  /** Wrong PINs of the last hours: the PIN was not tried. */
  | 'pin-resting'
  | 'pin-locked'
  | 'pin-unset'
  | 'pin-expired'
  | 'token-removed'
  | 'token-silent'
  | 'token-busy'
  | 'token-failed'
  | 'key-mismatch'

/** The only error that leaves the adapter of tokens. `message` is for the log and never holds a PIN. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly code: TokenRefusal

  constructor(code: TokenRefusal, message: string) {
    super(message)
    this.code = code
  }
}
