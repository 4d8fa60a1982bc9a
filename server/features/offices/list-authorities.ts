import { setImmediate } from 'node:timers/promises'
import { findUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import {
  findAuthorityCertificates,
  listAuthorities as listKnown,
} from '#server/db/trust/authorities.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Instant } from '#server/domain/time.ts'
import { type AuthorityFacts, authorityFactsOf } from '#server/domain/trust/authority-facts.ts'
import {
  type AuthorityState,
  INSTALLATION,
  MOST_AUTHORITIES,
  type TrustScope,
} from '#server/domain/trust/known-authority.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { Cache, CacheOf } from '#server/ports/memory.ts'
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

/** Facts of certificates by their fingerprint: they never change, and reading them all takes long. */
const FACTS: CacheOf<AuthorityFacts> = { name: 'authority-facts', capacity: MOST_AUTHORITIES }
/** So many are read before other requests are served. */
const READ_AT_ONCE = 50

/**
 * Every authority that the reader's office knows, trusted ones first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listAuthorities(system: System, actor: Actor): Promise<ListedAuthority[]> {
  const { db, clock, trust, memory } = system
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', own, clock.now())
  return await describeAuthorities(db, officeId, trust.builtIn, memory.cache(FACTS))
}

type FactCache = Pick<Cache<AuthorityFacts>, 'find' | 'keep'>

const NO_CACHE: FactCache = { find: () => undefined, keep: (_, value) => value }

/** The same for the command line, which has no actor. Names and reasons of people of other offices are left out. */
export async function describeAuthorities(
  db: Reader,
  scope: TrustScope,
  builtIn: readonly TrustAnchor[],
  cache: FactCache = NO_CACHE,
): Promise<ListedAuthority[]> {
  const known = await listKnown(db, scope)
  const deciders = await findUsers(
    db,
    known.flatMap(({ by }) => by ?? []),
  )
  const facts = await factsOfAll(
    db,
    scope,
    known.map(({ sha256 }) => sha256),
    cache,
  )
  const decided = known.flatMap(({ by, ...rest }) => {
    const own = facts.get(rest.sha256)
    if (!own) return []
    const decider = by ? deciders.get(by) : undefined
    const isOfOther = scope !== INSTALLATION && decider && decider.officeId !== scope
    return isOfOther
      ? [{ ...own, ...rest, by: null, reason: null }]
      : [{ ...own, ...rest, by: decider ? fullName(decider) : null }]
  })
  const given = builtIn.map(({ certificate, revocation, forTesting, ocsp = [] }) => ({
    ...authorityFactsOf(certificate),
    sha256: sha256(certificate.der),
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

/** One that was deleted meanwhile is missing. */
async function factsOfAll(
  db: Reader,
  scope: TrustScope,
  fingerprints: readonly Sha256[],
  cache: FactCache,
): Promise<ReadonlyMap<Sha256, AuthorityFacts>> {
  const facts = new Map<Sha256, AuthorityFacts>()
  for (const fingerprint of fingerprints) {
    const known = cache.find(fingerprint)
    if (known) facts.set(fingerprint, known)
  }
  const unread = fingerprints.filter((fingerprint) => !facts.has(fingerprint))
  const certificates = await findAuthorityCertificates(db, scope, unread)
  for (const [index, [fingerprint, der]] of [...certificates].entries()) {
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate()
    const read = authorityFactsOf(readCertificate(der))
    facts.set(fingerprint, cache.keep(fingerprint, read))
  }
  return facts
}

const RANKS: Record<ListedAuthority['state'], number> = {
  'built-in': 0,
  pinned: 1,
  accepted: 2,
  offered: 3,
  removed: 4,
}
