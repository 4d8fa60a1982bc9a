import { pemBlock } from '#server/domain/asn1/pem.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { ConstanciaReport, SignerFacts } from '#server/domain/verification/report.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** A small file of the package. */
export type ProofFile = { name: string; bytes: Uint8Array }

/** The root of a proof; the verifier compares its fingerprint. */
export type Root = { name: string; sha256: Sha256 }

/** One thing that can be proven, with what is needed for it. Plain data: it crosses threads. */
export type ProofSection = {
  title: SectionTitle
  /** es-MX: the statement that is proven, its signer and its time. */
  sentences: readonly string[]
  /** For a POSIX shell in the folder of the package; each ends with success or the proof fails. */
  commands: readonly string[]
  files: readonly ProofFile[]
  roots: readonly Root[]
}

/** Names are in certificates, which may say anything: `server/words` decides how they are said. */
export type SectionTitle = {
  /** es-MX: `Firma 3`. */
  about: string
  of: Named
}

export type Named =
  | { kind: 'signer'; signer: Pick<SignerFacts, 'name' | 'vouched'> | null }
  /** Null if the timestamp has no certificate for timestamping. */
  | { kind: 'authority'; authority: { name: string; isConfirmed: boolean } | null }
  | { kind: 'provider'; provider: Pick<ConstanciaReport, 'authority' | 'vouched'> }
  /** Of a certificate on a path to an anchor. */
  | { kind: 'certificate'; name: string }

/** `01` for the first. */
export const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Certificates one after the other, as programs take them. @see RFC 7468 */
export function pemOf(certificates: readonly Certificate[]): Uint8Array {
  const blocks = certificates.map(({ der }) => pemBlock(der, 'CERTIFICATE'))
  return new TextEncoder().encode(blocks.join(''))
}
