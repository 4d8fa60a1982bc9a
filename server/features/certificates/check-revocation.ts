import { z } from 'zod'
import { findNewestAnswerTimes } from '#server/db/trust/revocation-answers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { before, hours } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findReadableCertificate } from './find-readable-certificate.ts'
import { withStanding } from './with-standing.ts'

export const CheckRevocation = z.object({ certificateId: CertificateId })
export type CheckRevocation = z.infer<typeof CheckRevocation>

/** `unanswered`: the issuer is unknown, or nobody answered for it. */
export type RevocationCheck = 'good' | 'revoked' | 'unanswered'

/** An answer of the last hour counts: authorities promise no newer one. */
const RECENT = hours(1)

/**
 * Asks the issuer of a certificate whether it was revoked. The answer is kept, as after a signature. Nothing of the office
 * changes, so the log has no event.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `pdf-too-complex`
 */
export async function checkRevocation(
  system: Pick<System, 'db' | 'clock' | 'trust' | 'revocation'>,
  actor: Actor,
  { certificateId }: CheckRevocation,
): Promise<RevocationCheck> {
  const { db, clock, trust, revocation } = system
  const now = clock.now()
  const { certificate } = await findReadableCertificate(system, actor, certificateId, now)
  await revocation.answersAbout([certificate.der], await trust.policy(now))
  const [entry] = await withStanding(db, [certificate], now)
  if (entry?.standing === 'revoked') return 'revoked'
  const answered = (await findNewestAnswerTimes(db, [certificate.sha256])).get(certificate.sha256)
  return answered !== undefined && answered >= before(now, RECENT) ? 'good' : 'unanswered'
}
