import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findCertificates } from '#server/db/trust/certificates.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { CertificateId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { beginChange, commitChange, type SeenYubikey } from './change-yubikey.ts'
import { findYubikeyFor } from './find-yubikey.ts'
import { nameOfKey } from './name-of-key.ts'

export type LinkCertificate = SeenYubikey & {
  certificateId: CertificateId
  change: 'link' | 'unlink'
}

/**
 * Notes that a key keeps the private key of one of its holder's certificates, or that it does not: an administrator, or the holder.
 * A certificate that is linked replaces the one before.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` also for a certificate of another person;
 *   `yubikey-changed`; `yubikey-state` unless someone has the key
 */
export async function linkCertificate(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { certificateId, change, ...seen }: LinkCertificate,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const of = { own: 'yubikeys.manage-own', any: 'yubikeys.manage' } as const
  const { person, yubikey: known } = await findYubikeyFor(system, actor, seen.yubikeyId, of, at)
  const certificate = (await findCertificates(db, [certificateId])).get(certificateId)
  if (!certificate || certificate.userId === null || certificate.userId !== known.holderId)
    throw new Problem('not-found', `the holder has no certificate ${certificateId}`)
  const kind = change === 'link' ? 'certificate-linked' : 'certificate-unlinked'
  const by = person.userId
  const made = { kind, by, holderId: known.holderId, note: certificate.number } as const
  await db.transaction(async (trx) => {
    const yubikey = await beginChange(trx, seen, made)
    if (!yubikey) return
    if (yubikey.state !== 'assigned')
      throw new Problem('yubikey-state', `${yubikey.id} is ${yubikey.state}: it has no holder`)
    if (change === 'unlink' && yubikey.certificateId !== certificateId)
      throw new Problem('not-found', `${yubikey.id} does not keep ${certificateId}`)
    const next = change === 'link' ? certificateId : null
    await commitChange(
      trx,
      { ...yubikey, certificateId: next, version: yubikey.version + 1 },
      { ...made, at },
    )
    await appendEvent(trx, {
      actor,
      at,
      action: `yubikey.${kind}`,
      subject: { kind: 'yubikey', id: yubikey.id },
      details: {
        ...{ name: nameOfKey(yubikey), certificate: certificateId },
        number: certificate.number,
      },
    })
  })
}
