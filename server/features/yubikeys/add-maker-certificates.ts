import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  listMakerCertificates,
  lockMakerCertificates,
  upsertMakerCertificate,
} from '#server/db/yubikeys/maker-certificates.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { BundledAuthority } from '#server/domain/trust/authority-facts.ts'
import { MOST_MAKER_CERTIFICATES } from '#server/domain/yubikeys/maker-certificate.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** Most bytes of a file of the maker; what it publishes has some 10 KB. */
const MOST_MAKER_BYTES = 256 * 1024

export type AddMakerCertificates = {
  fileName: string
  file: Uint8Array
  /** Why the office trusts them: where they came from, and with what their fingerprint was compared. */
  reason: string
}

export type AddMakerCertificatesOutcome =
  /** `known`: all of them counted already; `for-testing`: a root of a demonstration, in an office that is none. */
  | { kind: 'added' | 'known'; count: number }
  | { kind: 'nothing-read' | 'no-authority' | 'for-testing' }

/**
 * Adds certificates of the maker of devices: its roots, and what stands between them and the devices. They count for attestations
 * alone, and never for a signature.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `too-large`, `too-many-maker-certificates`
 */
export async function addMakerCertificates(
  system: Pick<System, 'db' | 'clock' | 'pdf' | 'settings'>,
  actor: Actor,
  { fileName, file, reason }: AddMakerCertificates,
): Promise<AddMakerCertificatesOutcome> {
  const { db, clock, settings } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'yubikeys.manage', own, at)
  if (file.length > MOST_MAKER_BYTES) throw new Problem('too-large', `${file.length} bytes`)
  const read = await readInWorker(system, file, fileName)
  if (read.length === 0) return { kind: 'nothing-read' }
  const authorities = read.filter(({ mayIssue }) => mayIssue)
  if (authorities.length === 0) return { kind: 'no-authority' }
  if (!settings.isDemo && authorities.some(({ forTesting }) => forTesting))
    return { kind: 'for-testing' }
  const count = await db.transaction((trx) => store(trx, person, authorities, reason, at))
  return count > 0 ? { kind: 'added', count } : { kind: 'known', count: authorities.length }
}

async function readInWorker(
  { pdf }: Pick<System, 'pdf'>,
  file: Uint8Array,
  name: string,
): Promise<readonly BundledAuthority[]> {
  try {
    return (await pdf.readAuthorities(file, name)).certificates
  } catch (error) {
    if (!isProblem(error, 'pdf-too-complex')) throw error
    return []
  }
}

async function store(
  trx: Transaction,
  person: Person,
  authorities: readonly BundledAuthority[],
  reason: string,
  at: Instant,
): Promise<number> {
  await beginAdministration(trx, person)
  await lockMakerCertificates(trx)
  const known = new Map(
    (await listMakerCertificates(trx, person.officeId)).map((one) => [one.sha256, one]),
  )
  const added = authorities.filter(({ sha256 }) => known.get(sha256)?.state !== 'trusted')
  const total = new Set([...known.keys(), ...added.map(({ sha256 }) => sha256)]).size
  if (total > MOST_MAKER_CERTIFICATES)
    throw new Problem('too-many-maker-certificates', `${total} would be known`)
  for (const { sha256, der, name } of added) {
    const row = {
      sha256,
      der: Uint8Array.from(der),
      name: name.slice(0, 200),
      reason,
      since: at,
      by: person.userId,
    }
    await upsertMakerCertificate(trx, person.officeId, { ...row, state: 'trusted' })
  }
  for (const { sha256, name } of added)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'maker-certificate.added',
      subject: { kind: 'certificate', id: sha256 },
      details: { name: name.slice(0, 200), reason },
    })
  return added.length
}
