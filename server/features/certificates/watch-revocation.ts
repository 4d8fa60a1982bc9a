import { listOffices } from '#server/db/people/offices.ts'
import { findCertificates } from '#server/db/trust/certificates.ts'
import { findNewestAnswerTimes } from '#server/db/trust/revocation-answers.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { readersOfAlertAbout } from '#server/domain/alerts/readers.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { before, hours } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'
import { type CertificateOfUser, certificatesOfUsers } from './certificates-of-users.ts'

/** After so long the issuer of a certificate is asked again. */
const A_DAY = hours(24)
/** Of an office in one run: an authority that is down keeps each question waiting for seconds. */
const MOST_ASKED = 50

type Watching = Pick<System, 'db' | 'clock' | 'trust' | 'revocation'>

/**
 * Asks daily whether the certificates of active users were revoked, and alerts the user and the administrators of those that
 * were, also when a signature or a verification has found it out. An authority that does not answer is asked again in the next run.
 */
export async function watchRevocation(system: Watching, stopping?: AbortSignal): Promise<void> {
  for (const office of await listOffices(system.db)) {
    await askIssuers(system, office, stopping)
    await alertOffice(system, office)
  }
}

async function askIssuers(
  { db, clock, trust, revocation }: Watching,
  office: Office,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const now = clock.now()
  const found = await certificatesOfUsers(db, office, now)
  const inForce = found
    .flatMap(({ certificates }) => certificates)
    .filter(({ standing }) => standing === 'in-force' || standing === 'expiring')
  const fingerprints = inForce.map(({ sha256 }) => sha256)
  const answered = await findNewestAnswerTimes(db, fingerprints)
  const timeOf = ({ sha256 }: CertificateOfUser) => answered.get(sha256) ?? 0
  const due = inForce
    .filter((certificate) => timeOf(certificate) <= before(now, A_DAY))
    .toSorted((one, other) => timeOf(one) - timeOf(other))
    .slice(0, MOST_ASKED)
  const policy = await trust.policy(now)
  for (const { id } of due) {
    if (stopping?.aborted) return
    const held = (await findCertificates(db, [id])).get(id)
    if (held) await revocation.answersAbout([held.der], policy)
  }
}

async function alertOffice({ db, clock }: Watching, office: Office): Promise<void> {
  for (const { user, certificates } of await certificatesOfUsers(db, office, clock.now()))
    for (const certificate of certificates)
      if (certificate.standing === 'revoked') await alertAbout({ db, clock }, user, certificate)
}

/** Once for each certificate: the occasion is its own. */
async function alertAbout(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  user: User,
  { id, number }: CertificateOfUser,
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
        occasion: occasions.certificateRevoked(id, reader),
        at: clock.now(),
      })
  })
}
