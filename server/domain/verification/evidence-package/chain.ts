import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Instant } from '#server/domain/time.ts'
import { isSelfSigned } from '#server/domain/trust/issued-by.ts'
import { findPath } from '#server/domain/trust/path.ts'
import type { SignatureChecks } from '#server/domain/trust/signature-checks.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { type ProofFile, pemOf, type Root } from './section.ts'

/** The anchors of a proof, and the candidates for intermediate authorities. */
export type Trust = {
  anchors: readonly TrustAnchor[]
  candidates: readonly Certificate[]
  /** A budget that several chains share. */
  checks?: SignatureChecks
}

export type Chain = {
  /** From the certificate to its root, both included. */
  path: readonly Certificate[]
  root: Root
  /** The authorities, the root among them, as a file of their own. */
  file: ProofFile
  /** How openssl is told about them, for the time in question. */
  options: string
}

/** The path from `certificate` to an anchor at `at`, as openssl takes it; undefined if there is none. */
export function chainOver(
  certificate: Certificate,
  { anchors, candidates, checks }: Trust,
  at: Instant,
  name: string,
): Chain | undefined {
  const found = findPath(certificate, { anchors, candidates, at, ...(checks && { checks }) })
  if (found.kind === 'none') return undefined
  const { path, anchor } = found
  const above = path.length > 1 ? path.slice(1) : path
  // An anchor that is not self-signed ends the path there.
  const partial = isSelfSigned(anchor.certificate) ? '' : ' -partial_chain'
  return {
    path,
    root: rootOf(anchor.certificate),
    file: { name, bytes: pemOf(above) },
    options: `-CAfile ${name}${partial} -attime ${Math.ceil(at / 1000)}`,
  }
}

const rootOf = ({ name, der }: Certificate): Root => ({ name, sha256: sha256(der) })
