import type { Document } from './document.ts'

/** Where the public verifies a document: printed on its sheets, and drawn as a QR code. */
export type PublicAddress = { url: string; code: string }

/** The public verification page of a document; null if the public must not find it. */
export const publicAddressOf = (
  publicOrigin: string,
  { id, verificationCode, publicLookup }: Document,
): PublicAddress | null =>
  publicLookup.state === 'on'
    ? { url: `${publicOrigin}/verify/${id}`, code: verificationCode }
    : null
