import type { Certificate } from '../efirma/certificate.ts'
import type { RevocationJudgement } from '../revocation/question.ts'
import type { Instant } from '../time.ts'
import { type Circumstances, revocationOf } from './circumstances.ts'

export type PathRevocation = {
  /** Of the first certificate of the path. */
  leaf: RevocationJudgement
  /** The first authority on the path whose certificate was revoked by then. */
  revokedAuthority: Certificate | undefined
}

/**
 * Whether somebody on the path was revoked at `at`. The anchor is trusted by decision, nobody can revoke it
 * for us; authorities between are believed until an answer speaks against them, because most have no place to
 * ask.
 *
 * @see ETSI EN 319 102-1 V1.3.1, 5.2.6; RFC 5280, 6.3
 */
export function revocationOnPath(
  path: readonly Certificate[],
  at: Instant,
  circumstances: Circumstances,
): PathRevocation {
  const [leaf, ...above] = path
  const revokedAuthority = above
    .slice(0, -1)
    .find(
      (authority, index) =>
        revocationOf(authority, above.slice(index + 1), at, circumstances).status === 'revoked',
    )
  return { leaf: revocationOf(leaf as Certificate, above, at, circumstances), revokedAuthority }
}
