import type { Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'

/** Once while nobody has seen to it: a file that was recovered and is damaged again has another one. False when there is one. */
export async function raiseFileAlarm(
  trx: Transaction,
  { id, folio, officeId }: Document,
  { version }: DocumentVersion,
  at: Instant,
): Promise<boolean> {
  const beginning = `file-damaged:${id}:${version}:`
  const { resolved } = await trx
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number | string>().as('resolved'))
    .where('occasion', 'like', `${beginning}%`)
    .where('state', '=', 'resolved')
    .executeTakeFirstOrThrow()
  return await raiseAlert(trx, {
    officeId,
    userId: null,
    kind: 'file-damaged',
    severity: 'danger',
    subjectKind: 'document',
    subjectId: id,
    facts: { folio, version },
    occasion: `${beginning}${resolved}`,
    at,
  })
}
