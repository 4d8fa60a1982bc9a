import { expect, test } from 'vitest'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { UNDO_ACCEPTED } from '#server/domain/undo.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import {
  addSessionDocuments,
  removeSessionDocument,
  restoreSessionDocument,
} from '#server/features/signing-sessions/edit-session-documents.ts'
import {
  addSessionSigner,
  removeSessionSigner,
  restoreSessionSigner,
} from '#server/features/signing-sessions/edit-session-signers.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { aCeremony, sessionOf } from '#tests/support/office/ceremonies.ts'
import { outcomeOf, watchLog } from '#tests/support/office/office-staff.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('undo in a draft session', (system) => {
  /** A draft session with three documents and three signers, the last two in one step. */
  async function aDraftSession() {
    const { person, drafts, parties } = await aCeremony(system(), [1, 2, 2], 3)
    const asked = parties.map((party) => party.asked)
    const { id } = await createSigningSession(system(), person, sessionOf(drafts, asked))
    const ceremony = async () => {
      const { documents = [], signers = [] } = (await findCeremony(system().db, id)) ?? {}
      return { documents, signers }
    }
    const { documents, signers } = await ceremony()
    const removedSigner = async (at: number) => {
      const signerId = signers[at]!.id
      const undo = await removeSessionSigner(system(), person, { signingSessionId: id, signerId })
      if (!undo) throw new Error('no signer was removed')
      return undo
    }
    const removedDocument = async (at: number) => {
      const documentId = documents[at]!.id
      const undo = await removeSessionDocument(system(), person, {
        ...{ signingSessionId: id, documentId },
      })
      if (!undo) throw new Error('no document was removed')
      return undo
    }
    return { person, id, asked, documents, signers, ceremony, removedSigner, removedDocument }
  }

  test.each([0, 1, 2])('signer %i: is at the same place again, with one event', async (at) => {
    const { person, signers, ceremony, removedSigner } = await aDraftSession()
    const undo = await removedSigner(at)
    expect((await ceremony()).signers).toHaveLength(2)
    const recorded = await watchLog(system())
    const both = [undo, undo].map((one) => restoreSessionSigner(system(), person, one))
    expect(await Promise.all(both)).toEqual(['undone', 'undone'])
    expect((await ceremony()).signers).toEqual(signers)
    expect(await recorded()).toEqual(['signing-session.changed success'])
    expect((await system().log()).at(-1)).toMatchObject({
      details: { restored: signers[at]?.name },
    })
  })

  test('signer: stays removed when the time is over', async () => {
    const { person, ceremony, removedSigner } = await aDraftSession()
    const undo = await removedSigner(1)
    const seen = await ceremony()
    system().wait(UNDO_ACCEPTED)
    expect(await restoreSessionSigner(system(), person, undo)).toBe('too-late')
    expect(await ceremony()).toEqual(seen)
  })

  test('signer: one who was added again since stays as they are', async () => {
    const { person, id, asked, ceremony, removedSigner } = await aDraftSession()
    const undo = await removedSigner(1)
    await addSessionSigner(system(), person, { signingSessionId: id, signer: asked[1]! })
    const seen = await ceremony()
    expect(await restoreSessionSigner(system(), person, undo)).toBe('changed')
    expect(await ceremony()).toEqual(seen)
  })

  test.each([0, 1, 2])('document %i: is at the same place again, with one event', async (at) => {
    const { person, documents, ceremony, removedDocument } = await aDraftSession()
    const undo = await removedDocument(at)
    expect((await ceremony()).documents).toHaveLength(2)
    const recorded = await watchLog(system())
    const both = [undo, undo].map((one) => restoreSessionDocument(system(), person, one))
    expect(await Promise.all(both)).toEqual(['undone', 'undone'])
    expect((await ceremony()).documents).toEqual(documents)
    expect(await recorded()).toEqual(['signing-session.changed success'])
  })

  test('document: stays removed when the time is over; one that was added again stays where it is', async () => {
    const { person, id, ceremony, removedDocument } = await aDraftSession()
    const undo = await removedDocument(0)
    const { documentId } = undo
    await addSessionDocuments(system(), person, {
      ...{ signingSessionId: id, documentIds: [documentId] },
    })
    const seen = await ceremony()
    expect(seen.documents.at(-1)?.id).toBe(documentId)
    expect(await restoreSessionDocument(system(), person, undo)).toBe('undone')
    expect(await ceremony()).toEqual(seen)
    const late = await removedDocument(1)
    system().wait(UNDO_ACCEPTED)
    expect(await restoreSessionDocument(system(), person, late)).toBe('too-late')
    expect((await ceremony()).documents).toHaveLength(2)
  })

  test('session: nothing is undone once it was opened', async () => {
    const { person, id, ceremony, removedSigner, removedDocument } = await aDraftSession()
    const [signer, document] = [await removedSigner(0), await removedDocument(0)]
    await openSigningSession(system(), person, { signingSessionId: id })
    const seen = await ceremony()
    const undone = [
      restoreSessionSigner(system(), person, signer),
      restoreSessionDocument(system(), person, document),
    ]
    expect(await Promise.all(undone.map(outcomeOf))).toEqual(['session-state', 'session-state'])
    expect(await ceremony()).toEqual(seen)
  })

  test('document: one that is not in the session is not removed, without an event', async () => {
    const { person, id, removedDocument } = await aDraftSession()
    const { documentId } = await removedDocument(0)
    const recorded = await watchLog(system())
    const again = removeSessionDocument(system(), person, { signingSessionId: id, documentId })
    expect(await again).toBeNull()
    expect(await recorded()).toEqual([])
  })
})
