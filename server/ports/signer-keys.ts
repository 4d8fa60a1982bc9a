import type { Pkcs12Refusal } from '#server/domain/pkcs/pkcs12.ts'
import type { OpenedPrivateKey, PrivateKeyOutcome } from '#server/domain/pkcs/private-key.ts'

/**
 * Opens the key files of signers who sign on the server. The file's author decides how slow its derivation is, up
 * to seconds. The arguments stay the caller's, to be wiped; copies of them are overwritten. The keys in the
 * results sign and cannot be read out.
 */
export type SignerKeys = {
  /** Opens a `.key`. @throws {Problem} `too-many-attempts` when it takes too long */
  openPrivateKey(file: Uint8Array, password: string): Promise<PrivateKeyOutcome>
  /** Opens a `.p12` or `.pfx`. @throws {Problem} `too-many-attempts` when it takes too long */
  openPkcs12(file: Uint8Array, password: string): Promise<OpenedPkcs12>
}

export type OpenedPkcs12 =
  /** At least one, in the order of the file. */
  { kind: 'opened'; pairs: readonly [KeyPair, ...KeyPair[]] } | { kind: Pkcs12Refusal }

type KeyPair = {
  /** DER. */
  certificate: Uint8Array
  opened: OpenedPrivateKey
}
