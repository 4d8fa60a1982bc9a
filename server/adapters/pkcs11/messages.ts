import type { TokenRefusal } from '#server/domain/signing/token-refusal.ts'

/** A certificate in a token, and where its key is looked for. */
export type FoundCertificate = {
  /** Which of the module's slots; counts for as long as its process lives. */
  slot: bigint
  /** The name that its owner gave to the token. */
  token: string
  /** The number that its maker gave to the token. */
  serial: string
  /** CKA_ID and CKA_LABEL, which a key shares with its certificate. */
  id: Uint8Array
  label: string
  der: Uint8Array
}

/** What the process of a module is asked, one after the other. */
export type Question =
  | { kind: 'certificates'; token: string | undefined }
  | { kind: 'login'; slot: bigint; pin: string }
  | {
      kind: 'sign'
      slot: bigint
      id: Uint8Array
      label: string
      modulus: Uint8Array
      bytes: Uint8Array
    }

export type Reply =
  | { kind: 'value'; value: unknown }
  | { kind: 'refused'; code: TokenRefusal; message: string }
