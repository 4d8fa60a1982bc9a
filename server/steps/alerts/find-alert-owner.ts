import { findWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import { UserId, WebauthnCredentialId } from '#server/domain/ids.ts'

/** The subject of an alert. */
export type AlertSubject = Partial<Pick<Alert, 'subjectKind' | 'subjectId'>>

/** Whether the sentence of an alert names the owner: those addressed to the owner say "you". */
export const namesOwner = ({ userId, kind }: Pick<Alert, 'userId' | 'kind'>): boolean =>
  // It is addressed to every user of the office.
  userId === null || kind === 'administrator-recovered'

/** The owner of the account or key that each alert is about, by alert; other alerts are absent. */
export async function findAlertOwners<Subject extends AlertSubject>(
  db: Reader,
  alerts: readonly Subject[],
): Promise<Map<Subject, UserId>> {
  const keys = await findWebauthnCredentials(db, alerts.flatMap(keyOf))
  const owners = new Map<Subject, UserId>()
  for (const alert of alerts) {
    const [key] = keyOf(alert)
    const owner = key ? keys.get(key)?.userId : accountOf(alert)
    if (owner) owners.set(alert, owner)
  }
  return owners
}

const accountOf = ({ subjectKind, subjectId }: AlertSubject) =>
  subjectKind === 'user' ? UserId.safeParse(subjectId).data : undefined

function keyOf({ subjectKind, subjectId }: AlertSubject): WebauthnCredentialId[] {
  const key = WebauthnCredentialId.safeParse(subjectId)
  return subjectKind === 'second-factor' && key.success ? [key.data] : []
}
