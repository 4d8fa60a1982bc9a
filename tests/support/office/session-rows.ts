import { randomBytes, randomUUID } from 'node:crypto'
import { folioOf } from '#server/domain/documents/folio.ts'
import {
  VERIFICATION_CODE_BYTES,
  verificationCodeFrom,
} from '#server/domain/documents/verification-code.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { MORNING } from '#tests/support/builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'
import { insertMany } from './many-rows.ts'

/** An open session, as a row. */
export const aSession = (
  author: User,
  changes: Partial<Record<keyof SigningSession, unknown>> = {},
): SigningSession =>
  SigningSession.parse({
    ...{ id: randomUUID(), officeId: author.officeId, title: 'Otra firma', message: null },
    ...{ deadline: null, state: 'open', stateSince: MORNING, stateBy: author.id },
    ...{ stateReason: null, createdAt: MORNING, createdBy: author.id, act: null },
    ...changes,
  } satisfies Record<keyof SigningSession, unknown>)

/** An external signer of the session who has not signed, as a row. */
export const aSigner = (
  session: Pick<SigningSession, 'id'>,
  place: number,
  changes: Partial<Record<keyof Signer, unknown>> = {},
): Signer =>
  Signer.parse({
    ...{ id: randomUUID(), signingSessionId: session.id, place, step: 1, userId: null },
    ...{ name: 'Benito Núñez', email: null, rfc: 'NUPB801201QX7' },
    ...{ character: { kind: 'declared', texts: ['Comprador'] }, state: 'pending' },
    ...{ stateSince: MORNING, stateReason: null, replacedBy: null, remindedAt: null },
    ...{ stateProof: null },
    ...changes,
  } satisfies Record<keyof Signer, unknown>)

/** Copies this document of a session so often, in front of it; the copies were not judged. */
export async function addUnjudged(
  { db }: TestSystem,
  signingSessionId: SigningSessionId,
  documentId: DocumentId,
  count: number,
): Promise<void> {
  const document = await db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow()
  const versions = await db
    .selectFrom('document_versions')
    .selectAll()
    .where('document_id', '=', documentId)
    .execute()
  const held = await db
    .selectFrom('session_documents')
    .selectAll()
    .where('document_id', '=', documentId)
    .where('signing_session_id', '=', signingSessionId)
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: count }, (_, index) => {
    const number = 5000 + index
    return {
      ...{ ...document, id: randomUUID(), folio_number: number },
      folio: folioOf(document.folio_year, number),
      verification_code: verificationCodeFrom(randomBytes(VERIFICATION_CODE_BYTES)),
    }
  })
  await db.transaction(async (trx) => {
    await trx
      .updateTable('session_documents')
      .set({ position: count + 1 })
      .where('document_id', '=', documentId)
      .where('signing_session_id', '=', signingSessionId)
      .execute()
    await insertMany(trx, db, 'documents', copies)
    await insertMany(
      trx,
      db,
      'document_versions',
      copies.flatMap(({ id }) => versions.map((version) => ({ ...version, document_id: id }))),
    )
    await insertMany(
      trx,
      db,
      'session_documents',
      copies.map(({ id }, index) => ({ ...held, document_id: id, position: index + 1 })),
    )
  })
}
