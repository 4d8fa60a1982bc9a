import { z } from 'zod'
import { findPublicDocument } from '#server/db/documents/public-documents.ts'
import { parseVerificationCode } from '#server/domain/documents/verification-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { consumePublicAttempt } from './consume-public-attempt.ts'
import { lookingUp } from './looking-up.ts'

export const FindByCode = z.object({
  /** A verification code, a uuid, or the URL of the QR code, in any spelling. */
  code: z.string().trim().max(300),
})
export type FindByCode = z.infer<typeof FindByCode>

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/**
 * The document id for a code; undefined if no document that the actor may look up has it. A uuid is returned unchecked: its page
 * reports whether the document exists.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function findByCode(
  system: System,
  actor: Actor,
  { code }: FindByCode,
): Promise<DocumentId | undefined> {
  await consumePublicAttempt(system, actor, 'code')
  const uuid = uuidIn(code)
  if (uuid) return uuid
  const parsed = parseVerificationCode(code)
  if (!parsed) return undefined
  return (await findPublicDocument(system.db, { code: parsed }, lookingUp(actor)))?.id
}

/** Whether no document can have this code: it is not a code, or its check character tells that it was mistyped. */
export const isMistyped = (code: string): boolean => !uuidIn(code) && !parseVerificationCode(code)

const uuidIn = (code: string): DocumentId | undefined =>
  DocumentId.safeParse(UUID.exec(code)?.[0].toLowerCase()).data
