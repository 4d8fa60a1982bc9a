/** Encrypts what only this server may read, under keys that are in no database. AES-256-GCM. */
export type Vault = {
  /**
   * Under the newest key.
   *
   * @param place table, column and id of the row: opened for any other place it fails
   */
  seal(plain: Uint8Array, place: string): SealedSecret
  /** @throws {Problem} `secret-unreadable`: changed, moved to another row, or its key is gone */
  open(sealed: SealedSecret, place: string): Uint8Array
  /** The newest key: what was sealed with an older one is sealed anew. */
  readonly keyVersion: number
}

/** A secret as it lies in a row. */
export type SealedSecret = {
  /** Which of the server's keys it was sealed with. */
  readonly keyVersion: number
  /** Nonce, ciphertext and tag. */
  readonly bytes: Uint8Array
}
