import type { Certificate } from '#server/domain/x509/certificate.ts'

/** A small file of the package. */
export type ProofFile = { name: string; bytes: Uint8Array }

/** One thing that can be proven, with what is needed for it. */
export type ProofSection = {
  /** es-MX. */
  title: string
  /** es-MX: the statement that is proven, its signer and its time. */
  sentences: readonly string[]
  /** For a POSIX shell in the folder of the package; each ends with success or the proof fails. */
  commands: readonly string[]
  files: readonly ProofFile[]
  /** The roots of the proof; the verifier compares their fingerprints. */
  roots: readonly Certificate[]
}

/** `01` for the first. */
export const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Certificates one after the other, as programs take them. @see RFC 7468 */
export function pemOf(certificates: readonly Certificate[]): Uint8Array {
  const blocks = certificates.map(({ der }) => {
    const lines =
      Buffer.from(der)
        .toString('base64')
        .match(/.{1,64}/g) ?? []
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
  })
  return new TextEncoder().encode(blocks.join(''))
}
