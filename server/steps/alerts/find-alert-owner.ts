import { findWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import { type UserId, UserId as UserIdSchema, WebauthnCredentialId } from '#server/domain/ids.ts'

/** Whose account an alert is about: their own, or that of the key. */
export async function findAlertOwner(
  db: Reader,
  { subjectKind, subjectId }: Partial<Pick<Alert, 'subjectKind' | 'subjectId'>>,
): Promise<UserId | undefined> {
  if (subjectKind === 'user') return UserIdSchema.safeParse(subjectId).data
  const key = WebauthnCredentialId.safeParse(subjectId)
  if (subjectKind !== 'second-factor' || !key.success) return undefined
  return (await findWebauthnCredential(db, key.data))?.userId
}
