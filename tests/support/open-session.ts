import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { replaceDocument } from '#server/db/documents.ts'
import { insertSigner } from '#server/db/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'

/** An open session over documents as they are, which get no signature sheet; the users sign in their order. */
export async function anOpenSession(
  db: Database,
  documents: readonly Document[],
  signers: readonly User[],
  at: Instant,
): Promise<SigningSession> {
  const [by] = signers
  if (!by) throw new Error('a session of nobody')
  const session = SigningSession.parse({
    id: randomUUID(),
    officeId: by.officeId,
    title: 'Compraventa de Juárez 10',
    message: null,
    deadline: null,
    state: 'open',
    stateSince: at,
    stateBy: by.id,
    stateReason: null,
    createdAt: at,
    createdBy: by.id,
  })
  await db.transaction(async (trx) => {
    for (const document of documents)
      await replaceDocument(trx, document, { ...document, state: 'signing', stateSince: at })
    const held = documents.map(({ id, version }) => ({ id, baseVersion: version, fields: [] }))
    await insertSigningSession(trx, session, held)
    for (const [index, user] of signers.entries())
      await insertSigner(trx, signerOf(session, user, index + 1, at))
  })
  return session
}

const signerOf = (session: SigningSession, user: User, place: number, at: Instant): Signer =>
  Signer.parse({
    id: randomUUID(),
    signingSessionId: session.id,
    place,
    step: place,
    userId: user.id,
    name: fullName(user),
    email: user.email,
    rfc: user.rfc,
    character: user.capacity ? null : 'Compareciente',
    state: 'pending',
    stateSince: at,
    stateReason: null,
    replacedBy: null,
    remindedAt: null,
  })
