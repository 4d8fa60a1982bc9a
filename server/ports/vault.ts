/** Encrypts secrets that only this server may read, under keys outside the database. AES-256-GCM. */
export type Vault = {
  /**
   * Encrypts with the newest key.
   *
   * @param place table, column and id of the row; `open` fails for any other place
   */
  seal(plain: Uint8Array, place: string): SealedSecret
  /** @throws {Problem} `secret-unreadable` when it was changed, moved to another row, or its key is gone */
  open(sealed: SealedSecret, place: string): Uint8Array
  /** Version of the newest key; secrets of older versions must be sealed again. */
  readonly keyVersion: number
}

/** A secret as stored in a row. */
type SealedSecret = {
  /** The version of its key. */
  readonly keyVersion: number
  /** Nonce, ciphertext and tag. */
  readonly bytes: Uint8Array
}
