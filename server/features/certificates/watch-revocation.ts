import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { findAskedTimes, findCertificates, noteAsked } from '#server/db/trust/certificates.ts'
import { findNewestAnswerTimes } from '#server/db/trust/revocation-answers.ts'
import { matters, occasions } from '#server/domain/alerts/occasions.ts'
import { readersOfAlertAbout } from '#server/domain/alerts/readers.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Problem } from '#server/domain/problem.ts'
import { isRevocationDue } from '#server/domain/revocation/revocation-due.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { askIssuer } from '#server/steps/signing/ask-issuer.ts'
import type { System } from '#server/system.ts'
import { type CertificateOfUser, certificatesOfUsers } from './certificates-of-users.ts'

/** Of an office in one run: an authority that is down keeps each question waiting for seconds. */
const MOST_ASKED = 50

type Watching = Pick<System, 'db' | 'clock' | 'trust' | 'revocation' | 'pdf'>

/** A certificate and the user whose it is. */
type Held = { user: User; certificate: CertificateOfUser }

/**
 * Asks daily whether the certificates of active users were revoked, and alerts the user and the administrators of those that
 * were. An authority that does not answer is asked again in the next run; those that were asked longest ago come first.
 */
export async function watchRevocation(system: Watching, stopping?: AbortSignal): Promise<void> {
  for (const office of await listOffices(system.db))
    for (const held of (await listDue(system, office)).slice(0, MOST_ASKED)) {
      if (stopping?.aborted) return
      await watchOne(system, held)
    }
}

async function listDue({ db, clock }: Watching, office: Office): Promise<Held[]> {
  const now = clock.now()
  const found = await certificatesOfUsers(db, office, now)
  const all = found
    .flatMap(({ user, certificates }) => certificates.map((certificate) => ({ user, certificate })))
    .filter(({ certificate: { notBefore, notAfter } }) => notBefore <= now && now <= notAfter)
  const asked = await findAskedTimes(
    db,
    all.map(({ certificate }) => certificate.id),
  )
  const answered = await findNewestAnswerTimes(
    db,
    all.map(({ certificate }) => certificate.sha256),
  )
  const askedAt = ({ certificate }: Held) => asked.get(certificate.id)
  return all
    .filter((held) =>
      isRevocationDue(
        { askedAt: askedAt(held), answeredAt: answered.get(held.certificate.sha256) },
        now,
      ),
    )
    .toSorted((one, other) => (askedAt(one) ?? 0) - (askedAt(other) ?? 0))
}

/** One whose question takes too much, or whose answer, does not keep the others waiting. */
async function watchOne(system: Watching, { user, certificate }: Held): Promise<void> {
  const { db, clock, trust } = system
  const at = clock.now()
  await db.transaction((trx) => noteAsked(trx, certificate.id, at))
  const held = (await findCertificates(db, [certificate.id])).get(certificate.id)
  if (!held) return
  try {
    const word = await askIssuer(system, held.der, await trust.policy(at, user.officeId))
    if (word.status === 'revoked') await alertAbout(system, user, certificate, word.revokedAt)
    if (word.status === 'good')
      await db.transaction((trx) =>
        resolveAlertsAbout(trx, matters.certificateRevoked(certificate.id), { at, by: null }),
      )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

/** Once for each revocation: after a hold that ended, another one is another occasion. */
async function alertAbout(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  user: User,
  { id, number }: CertificateOfUser,
  revokedAt: Instant,
): Promise<void> {
  await db.transaction(async (trx) => {
    for (const reader of readersOfAlertAbout(user))
      await raiseAlert(trx, {
        officeId: user.officeId,
        userId: reader === 'owner' ? user.id : null,
        kind: 'certificate-revoked',
        severity: 'danger',
        subjectKind: 'user',
        subjectId: user.id,
        facts: { number, certificate: id },
        occasion: occasions.certificateRevoked(id, revokedAt, reader),
        at: clock.now(),
      })
  })
}
