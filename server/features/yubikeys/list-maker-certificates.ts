import { findUsers } from '#server/db/people/users.ts'
import { listMakerCertificates as listRows } from '#server/db/yubikeys/maker-certificates.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Instant } from '#server/domain/time.ts'
import { isAuthorityForTesting } from '#server/domain/trust/authorities-for-testing.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import {
  type MakerCertificate,
  type MakerRole,
  makerRoleOf,
} from '#server/domain/yubikeys/maker-certificate.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ListedMaker = Omit<MakerCertificate, 'der' | 'by'> & {
  role: MakerRole
  notBefore: Instant
  notAfter: Instant
  by: string
  /** Of a demonstration. */
  forTesting: boolean
}

/**
 * The certificates of the maker by name, removed ones too.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listMakerCertificates(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<ListedMaker[]> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'yubikeys.read', own, clock.now())
  const rows = await listRows(db, officeId)
  const users = await findUsers(db, new Set(rows.map(({ by }) => by)))
  return rows.map(({ der, by, ...row }) => {
    const certificate = readCertificate(der)
    const { notBefore, notAfter } = certificate
    const user = users.get(by)
    return {
      ...row,
      ...{ notBefore, notAfter, by: user ? fullName(user) : '' },
      forTesting: isAuthorityForTesting(certificate),
      role: makerRoleOf(certificate) ?? 'intermediate',
    }
  })
}
