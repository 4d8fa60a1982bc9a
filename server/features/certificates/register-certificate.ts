import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { claimCertificate, insertCertificate } from '#server/db/trust/certificates.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { CertificateReading } from '#server/ports/pdf-work.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { findRevocation } from '#server/steps/signing/find-revocation.ts'
import type { System } from '#server/system.ts'
import {
  revokedBeforeRegistration,
  sentenceOfRegistration,
} from '#server/words/certificate-details.ts'

/** A file as the SAT hands it out, or PEM; overwritten with zeros afterwards, because people choose the wrong one. */
export type RegisterCertificate = { file: Uint8Array }

export type RegisterCertificateOutcome =
  /** `known`: the user had it already. */
  { kind: 'registered' | 'known'; id: CertificateId } | { kind: 'refused'; sentence: string }

/**
 * Registers the certificate of the user's own e.firma. The file is read in a worker; its issuer is asked whether it was revoked,
 * and an authority that does not answer holds nothing up. The same file again changes nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function registerCertificate(
  system: System,
  actor: Actor,
  { file }: RegisterCertificate,
): Promise<RegisterCertificateOutcome> {
  const { db, clock, trust } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'certificates.register-own', own, at)
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const policy = await trust.policy(at, office.id)
  const reading = await readInWorker(system, file, person.rfc, policy)
  if (reading.kind === 'refused')
    return { kind: 'refused', sentence: sentenceOfRegistration(reading, office.timeZone) }
  const path = reading.path.map(readCertificate)
  const [certificate] = path
  if (!certificate) throw new Error('a path without certificates')
  const revokedAt = await findRevocation(system, path, policy)
  if (revokedAt !== null)
    return { kind: 'refused', sentence: revokedBeforeRegistration(revokedAt, office.timeZone) }
  return await store(
    system,
    person,
    heldCertificateOf(certificate, {
      ...{ id: CertificateId.parse(randomUUID()), officeId: office.id, userId: person.userId, at },
      isForTesting: reading.forTesting,
    }),
  )
}

/** A file that takes too much to read counts as none. */
async function readInWorker(
  { pdf }: Pick<System, 'pdf'>,
  file: Uint8Array,
  rfc: string,
  policy: VerificationPolicy,
): Promise<CertificateReading> {
  try {
    return await pdf.acceptCertificate(file, rfc, policy)
  } catch (error) {
    if (!isProblem(error, 'pdf-too-complex')) throw error
    return { kind: 'refused', code: 'not-a-certificate', file: 'certificate' }
  } finally {
    file.fill(0)
  }
}

/** The office may know the certificate from the time when its holder was an external signer: then it becomes the user's. */
async function store(
  { db }: Pick<System, 'db'>,
  person: Person,
  held: HeldCertificate,
): Promise<RegisterCertificateOutcome> {
  return await db.transaction(async (trx) => {
    const { id, isNew } = await insertCertificate(trx, held)
    if (!isNew && !(await claimCertificate(trx, id, person.userId))) return { kind: 'known', id }
    await appendEvent(trx, {
      actor: person,
      at: held.firstSeenAt,
      action: 'certificate.added',
      subject: { kind: 'certificate', id },
      details: { name: held.name.slice(0, 200), number: held.number, sha256: held.sha256 },
    })
    return { kind: 'registered', id }
  })
}
