import { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { findAuthority, replaceAuthority } from '#server/db/trust/authorities.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { isAuthorityForTesting } from '#server/domain/trust/authorities-for-testing.ts'
import {
  type KnownAuthority,
  OcspAddresses,
  RevocationDemand,
  TrustReason,
} from '#server/domain/trust/known-authority.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { administratorAsDecider, type Decider } from './authority-decider.ts'

export const AuthorityDecision = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('accept'),
    sha256: Sha256,
    reason: TrustReason,
    /** Whether a signature under it may be valid while no authority answers about its certificate. */
    revocation: RevocationDemand,
    /** Addresses of its OCSP responders; may be empty. */
    ocsp: OcspAddresses,
  }),
  z.strictObject({ kind: z.literal('remove'), sha256: Sha256, reason: TrustReason }),
])
export type AuthorityDecision = z.infer<typeof AuthorityDecision>

/**
 * Starts or stops trusting an authority without a pin. Applies to every verdict in the scope of the decider from now
 * on; earlier decisions stay in the log.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` for an authority that was never
 *   imported; `authority-for-testing` outside of a demo; `wrong-state`
 */
export async function decideAuthority(
  system: System,
  actor: Actor,
  decision: AuthorityDecision,
): Promise<KnownAuthority> {
  const { db, clock, settings } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  return await applyDecision(db, administratorAsDecider(person, at, settings.isDemo), decision)
}

/** The same for any decider. */
export async function applyDecision(
  db: Database,
  decider: Decider,
  decision: AuthorityDecision,
): Promise<KnownAuthority> {
  return await db.transaction(async (trx) => {
    const scope = await decider.begin(trx)
    const known = await findAuthority(trx, scope, decision.sha256)
    if (!known) throw new Problem('not-found', `no authority ${decision.sha256}`)
    const next = decided(known, decision, decider)
    await replaceAuthority(trx, scope, next)
    await decider.record(trx, [
      {
        action: decision.kind === 'accept' ? 'authority.accepted' : 'authority.removed',
        id: known.sha256,
        details: {
          name: known.certificate.name.slice(0, 200),
          reason: decision.reason,
          revocation: next.revocation,
          ocsp: next.ocsp.join(' '),
        },
      },
    ])
    return next
  })
}

function decided(
  known: KnownAuthority,
  decision: AuthorityDecision,
  { at, by, isDemo }: Decider,
): KnownAuthority {
  const { kind, reason } = decision
  const made = { reason, since: at, by }
  if (kind === 'remove') {
    if (known.state === 'removed') throw new Problem('wrong-state', 'it is removed already')
    return { ...known, ...made, state: 'removed' }
  }
  if (!isDemo && isAuthorityForTesting(known.certificate))
    throw new Problem('authority-for-testing', `${known.sha256} is for tests`)
  if (known.state === 'pinned') throw new Problem('wrong-state', 'it is trusted already')
  const { revocation, ocsp } = decision
  return { ...known, ...made, state: 'accepted', revocation, ocsp }
}
