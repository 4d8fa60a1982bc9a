import { type KeptRequest, placeOfBody } from '#server/db/sign-ins/kept-requests.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { recordUnreadable } from '#server/steps/factors/record-unreadable-secret.ts'
import type { System } from '#server/system.ts'

/** The body of a kept form. Logs one that cannot be unsealed. @throws {Problem} `secret-unreadable` */
export async function openKept(
  { db, clock, vault }: Pick<System, 'db' | 'clock' | 'vault'>,
  person: Person,
  { id, sealed }: KeptRequest,
): Promise<Uint8Array> {
  try {
    return vault.open(sealed, placeOfBody(id))
  } catch (error) {
    if (error instanceof Problem) {
      const { officeId, userId, sessionId } = person
      const subject = { kind: 'session', id: sessionId } as const
      const { keyVersion } = sealed
      const unreadable = { officeId, userId, subject, id, keyVersion }
      await recordUnreadable(db, person, clock.now(), unreadable)
    }
    throw error
  }
}
