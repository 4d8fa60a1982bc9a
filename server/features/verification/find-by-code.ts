import { z } from 'zod'
import { findDocumentByCode } from '#server/db/documents/documents.ts'
import { parseVerificationCode } from '#server/domain/documents/verification-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { spendPublicAttempt } from './spend-public-attempt.ts'

export const FindByCode = z.object({
  /** A verification code, a uuid, or the whole address from the QR code, however it was typed. */
  code: z.string().trim().max(300),
})
export type FindByCode = z.infer<typeof FindByCode>

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/**
 * The public id of the document that a person means; undefined when the code names no signed one. A uuid
 * is taken as it is: its own page says whether there is a document.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function findByCode(
  system: System,
  actor: Actor,
  { code }: FindByCode,
): Promise<DocumentId | undefined> {
  await spendPublicAttempt(system, actor, 'code')
  const uuid = DocumentId.safeParse(UUID.exec(code)?.[0].toLowerCase())
  if (uuid.success) return uuid.data
  const parsed = parseVerificationCode(code)
  const document = parsed && (await findDocumentByCode(system.db, parsed))
  return document?.state === 'signed' ? document.id : undefined
}
