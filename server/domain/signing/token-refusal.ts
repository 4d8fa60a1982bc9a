/** Why a token (smart card, YubiKey, HSM) gave no signature. */
export type TokenRefusal =
  | 'module-unusable'
  | 'no-token'
  | 'no-such-token'
  | 'no-certificate'
  | 'no-key'
  | 'wrong-pin'
  | 'wrong-pin-last-try'
  /** One more wrong PIN would lock the token: the PIN was not tried. */
  | 'pin-last-try'
  /** Too many wrong PINs recently: the PIN was not tried. */
  | 'pin-resting'
  | 'pin-locked'
  | 'pin-unset'
  | 'pin-expired'
  | 'token-removed'
  | 'token-silent'
  | 'token-busy'
  | 'token-failed'
  | 'key-mismatch'

/** The only error of the token adapter. `message` is for the log and never contains a PIN. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly code: TokenRefusal

  constructor(code: TokenRefusal, message: string) {
    super(message)
    this.code = code
  }
}
