import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { Email } from '#server/domain/identity/email.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { RejectSigning, rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { issueRecovery } from '#server/features/users/issue-recovery.ts'
import { suspendUser } from '#server/features/users/suspend-user.ts'
import { storedUser, stranger } from '#tests/support/builders.ts'
import { aCeremony, anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { aMember, anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSigningSystem, readyTrust, signBytes } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const ROUNDS = 8
const PASSWORD = 'tortuga verde sobre el tejado'
const reason = Reason.parse('Un motivo cualquiera.')

beforeAll(readyTrust)

/**
 * Each pair takes rows that both change, in an order of its own. `outcomeOf` throws anything but a refusal: an unresolved
 * deadlock, or an error in the middle of a change.
 */
onEachSigningSystem('order of locks', (system) => {
  test('suspension and sign-in of one user at once: both end, and no session outlives the suspension', {
    timeout: 60_000,
  }, async () => {
    const { office, admin } = await anOfficeWithStaff(system())
    const hash = await system().passwords.hash(PASSWORD)
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await storedUser(system().db, office, ['CLERK'], {}, hash)
      const account = { email: Email.parse(user.email), password: PASSWORD }
      const outcomes = await Promise.all([
        outcomeOf(signIn(system(), stranger(), account)),
        outcomeOf(suspendUser(system(), admin.person, { userId: user.id, reason })),
        outcomeOf(signIn(system(), stranger(), account)),
      ])
      expect(outcomes).toEqual(['done', 'done', 'done'])
      expect(await openSessions(system(), user.id)).toBe(0)
    }
  })

  test('administrators who act on each other at once: both end, and one of them is left', async () => {
    const { office } = await anOfficeWithStaff(system())
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other] = [
        await aMember(system(), office, ['ADMIN']),
        await aMember(system(), office, ['ADMIN']),
      ]
      const outcomes = await Promise.all([
        outcomeOf(suspendUser(system(), one.person, { userId: other.user.id, reason })),
        outcomeOf(suspendUser(system(), other.person, { userId: one.user.id, reason })),
        outcomeOf(issueRecovery(system(), one.person, { userId: other.user.id })),
        outcomeOf(issueRecovery(system(), other.person, { userId: one.user.id })),
      ])
      expect(outcomes.slice(0, 2).filter((outcome) => outcome === 'done')).toHaveLength(1)
    }
  })

  test('a session that is opened twice at once: one opening is done, the other refused', {
    timeout: 60_000,
  }, async () => {
    const { person, drafts, parties } = await aCeremony(system(), [1], 3)
    // The same documents in the other order.
    const asked = sessionOf(
      drafts,
      parties.map((party) => party.asked),
    )
    const { id: signingSessionId } = await createSigningSession(system(), person, asked)
    const reversed = sessionOf(
      [...drafts].reverse(),
      parties.map((party) => party.asked),
    )
    const { id: rival } = await createSigningSession(system(), person, reversed).catch(() => ({
      id: signingSessionId,
    }))
    const outcomes = await Promise.all([
      outcomeOf(openSigningSession(system(), person, { signingSessionId })),
      outcomeOf(openSigningSession(system(), person, { signingSessionId: rival })),
    ])
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    for (const { id } of drafts) expect(await listVersions(system().db, id)).toHaveLength(2)
  })

  test.each([0, 20, 80])(
    'a rejection %i ms after a signature began: the signature stands, or the document is a draft again',
    { timeout: 60_000 },
    async (delay) => {
      const { person, drafts, parties } = await aCeremony(system(), [1, 1])
      const [signer, rejecter] = parties
      const [draft] = drafts
      if (!signer || !rejecter || !draft) throw new Error('two parties and a draft')
      const asked = sessionOf(
        drafts,
        parties.map((party) => party.asked),
      )
      const { id: signingSessionId } = await anOpenSession(system(), person, asked)
      const prepared = await prepareSignature(system(), signer.person, {
        documentId: draft.id,
        version: 2,
        certificate: signer.efirma.cer,
      })
      if (prepared.kind === 'refused') throw new Error(prepared.sentence)
      const signature = await signBytes(signer.efirma, prepared.toBeSigned)
      const rejection = RejectSigning.parse({ signingSessionId, reason: 'No estoy de acuerdo.' })
      const [signed, rejected] = await Promise.all([
        outcomeOf(
          completeSignature(system(), signer.person, { preparedId: prepared.id, signature }),
        ),
        sleep(delay).then(() => outcomeOf(rejectSigning(system(), rejecter.person, rejection))),
      ])
      const signatures = await listSignatures(system().db, draft.id)
      const document = await findDocument(system().db, draft.id)
      expect([rejected, signed === 'done', signatures.length]).toEqual([
        'done',
        document?.state === 'rejected',
        signed === 'done' ? 1 : 0,
      ])
      if (signed !== 'done') expect(document?.state).toBe('draft')
    },
  )
})

async function openSessions({ db }: TestSystem, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute()
  return rows.length
}
