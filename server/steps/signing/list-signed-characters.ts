import { listSignatures } from '#server/db/documents/signatures.ts'
import { findSigners } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import type { DocumentId } from '#server/domain/ids.ts'

/**
 * As what each signature of the document was made here, by field name. Signatures made elsewhere are absent; so
 * are those of an earlier release made by office, whose capacity on that day was not kept.
 */
export async function listSignedCharacters(
  db: Reader,
  documentId: DocumentId,
): Promise<ReadonlyMap<string, SigningCharacter>> {
  const signatures = await listSignatures(db, documentId)
  const older = signatures.filter(({ character }) => character === null)
  const signers = await findSigners(
    db,
    older.flatMap(({ signerId }) => signerId ?? []),
  )
  const characters = signatures.flatMap(({ field, character, signerId }) => {
    const asked = signerId ? signers.get(signerId)?.character : undefined
    const declared = asked?.kind === 'declared' ? asked : undefined
    const made = character ?? declared
    return made ? [[field, made] as const] : []
  })
  return new Map(characters)
}
