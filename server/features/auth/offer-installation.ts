import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { insertActivation } from '#server/db/people/activations.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { activationLink } from '#server/domain/identity/activation-code.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

export type InstallationOffer = {
  /** For the operator's eyes only. */
  link: string
  expiresAt: Instant
}

/**
 * Creates the link for the first administrator of an empty installation; undefined when an office exists. Links
 * of earlier starts are revoked, so an old terminal shows none that works.
 */
export async function offerInstallation(system: System): Promise<InstallationOffer | undefined> {
  const { db, clock, settings } = system
  const at = clock.now()
  return await db.transaction(async (trx) => {
    if ((await listOffices(trx)).length > 0) return undefined
    const made = await insertActivation(trx, {
      userId: null,
      purpose: 'installation',
      by: null,
      at,
    })
    await appendSystemEvent(trx, {
      by: 'arranque',
      at,
      officeId: null,
      action: 'activation.created',
      subject: { kind: 'activation', id: made.id },
      result: 'success',
      details: { purpose: 'installation' },
    })
    const link = activationLink(settings.publicOrigin, made.code)
    return { link, expiresAt: made.expiresAt }
  })
}

/** False until the first office exists; the activation page then asks for the office, too. */
export async function isInstalled({ db }: Pick<System, 'db'>): Promise<boolean> {
  return (await listOffices(db)).length > 0
}
