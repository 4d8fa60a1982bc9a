import { findUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { listAuthorities as listKnown } from '#server/db/trust/authorities.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Instant } from '#server/domain/time.ts'
import { isAuthorityForTesting } from '#server/domain/trust/authorities-for-testing.ts'
import type { AuthorityState } from '#server/domain/trust/known-authority.ts'
import { pinOf } from '#server/domain/trust/mexican-authorities.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** An authority for display. */
export type ListedAuthority = {
  sha256: Sha256
  /** The name from the pin, else the subject's own. */
  name: string
  notBefore: Instant
  notAfter: Instant
  /** `built-in`: part of the demo, without a decision. */
  state: AuthorityState | 'built-in'
  role: 'anchor' | 'intermediate' | 'responder'
  forTesting: boolean
  revocation: TrustAnchor['revocation']
  /** Addresses of its OCSP responders. */
  ocsp: readonly string[]
  /** The reason of the decision; null without one. */
  reason: string | null
  since: Instant | null
  /** Name of the decider; null for the command line and without a decision. */
  by: string | null
}

/**
 * Every authority of this installation, trusted ones first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listAuthorities(system: System, actor: Actor): Promise<ListedAuthority[]> {
  const { db, clock, trust } = system
  await authorizeOrRecord(db, actor, 'office.read', mustBeSignedIn(actor), clock.now())
  return await describeAuthorities(db, trust.builtIn)
}

/** The same for the command line, which has no actor. */
export async function describeAuthorities(
  db: Reader,
  builtIn: readonly TrustAnchor[],
): Promise<ListedAuthority[]> {
  const known = await listKnown(db)
  const deciders = await findUsers(
    db,
    known.flatMap(({ by }) => by ?? []),
  )
  const decided = known.map(({ certificate, by, ...rest }) => {
    const decider = by ? deciders.get(by) : undefined
    return { ...factsOf(certificate), ...rest, by: decider ? fullName(decider) : null }
  })
  const given = builtIn.map(({ certificate, revocation, forTesting, ocsp = [] }) => ({
    ...factsOf(certificate),
    state: 'built-in' as const,
    forTesting,
    revocation,
    ocsp,
    reason: null,
    since: null,
    by: null,
  }))
  return [...given, ...decided].toSorted(
    (a, b) => RANKS[a.state] - RANKS[b.state] || b.notAfter - a.notAfter,
  )
}

const RANKS: Record<ListedAuthority['state'], number> = {
  'built-in': 0,
  pinned: 1,
  accepted: 2,
  offered: 3,
  removed: 4,
}

function factsOf(certificate: Certificate) {
  const pin = pinOf(certificate)
  return {
    sha256: sha256(certificate.der),
    name: pin?.name ?? certificate.name,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    role: pin?.role ?? ('anchor' as const),
    forTesting: isAuthorityForTesting(certificate),
  }
}
