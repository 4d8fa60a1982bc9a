import { expect, test } from 'vitest'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, hours } from '#server/domain/time.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { aCeremony, anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { aGuest, aGuestInvitation, rejectedWith } from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const WHY = 'Falta un lindero' as Reason

onEachSigningSystem('history of a document', (system) => {
  test('history: names who rejected and who cancelled, why, and what expired', async () => {
    const { person, document, parties } = await aCeremony(system(), [1])
    const [party] = parties
    if (!party) throw new Error('one party')
    const endings = async () =>
      (await readDocument(system(), person, { documentId: document.id })).endings
    const open = (changes = {}) =>
      anOpenSession(system(), person, sessionOf([document], [party.asked], changes))
    expect(await endings()).toEqual([])

    const rejected = await open()
    await rejectSigning(system(), party.person, { signingSessionId: rejected.id, reason: WHY })
    system().wait(hours(1))
    const cancelled = await open()
    await cancelSigningSession(system(), person, { signingSessionId: cancelled.id, reason: WHY })
    system().wait(hours(1))
    await open({ deadline: after(system().clock.now(), hours(1)) })
    system().wait(hours(2))
    await expireSigningSessions(system())

    const name = ({ firstName, lastName }: typeof person) => `${firstName} ${lastName}`
    expect(await endings()).toMatchObject([
      { kind: 'rejected', by: name(party.person), reason: WHY },
      { kind: 'cancelled', by: name(person), reason: WHY },
      { kind: 'expired', by: null, reason: '' },
    ])
  })

  test('history: names an external signer who rejected', async () => {
    const scene = await aGuestInvitation(system())
    const { guest } = await aGuest(system(), scene, 0)
    await rejectedWith(system(), guest, scene.efirma, WHY)
    const documentId = scene.drafts[0]?.id ?? scene.document.id
    const { endings } = await readDocument(system(), scene.person, { documentId })
    expect(endings).toMatchObject([
      { kind: 'rejected', by: 'Benito Núñez Peña', reason: WHY, proof: 'efirma' },
    ])
  })
})
