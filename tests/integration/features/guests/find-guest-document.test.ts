import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Guest } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { findGuestDocument, findGuestVersion } from '#server/steps/signing/find-guest-document.ts'
import { aGuest, MORNING } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { type StoredCeremony, storedCeremony } from '#tests/support/office/stored-ceremony.ts'

const NOT_FOUND = { code: 'not-found' }

onEachDatabase('document of a guest', (current) => {
  const guestOf = ({ office, ceremony }: StoredCeremony, { id: signerId }: Signer): Guest =>
    aGuest(office, { signerId, signingSessionId: ceremony.session.id })

  const find = (stored: StoredCeremony, signer: Signer, id = stored.document.id) =>
    findGuestDocument(current().db, guestOf(stored, signer), id, MORNING)

  test('is of their session, while it waits for them', async () => {
    const stored = await storedCeremony(current().db)
    expect(await find(stored, stored.signers[1])).toEqual({
      ...{ document: stored.document, ceremony: stored.ceremony },
    })
    const other = await storedCeremony(current().db, { office: { number: 77 } })
    await expect(find(stored, stored.signers[1], other.document.id)).rejects.toMatchObject(
      NOT_FOUND,
    )
    const unknown = find(stored, stored.signers[1], DocumentId.parse(randomUUID()))
    await expect(unknown).rejects.toMatchObject(NOT_FOUND)
  })

  test('is found by what is asked of this guest, not of another signer of the session', async () => {
    const signers = [{}, { state: 'replaced' }, {}] as const
    const stored = await storedCeremony(current().db, { signers })
    await expect(find(stored, stored.signers[1])).rejects.toMatchObject(NOT_FOUND)
    expect(await find(stored, stored.signers[2])).toMatchObject({ document: stored.document })
    const firstIsGone = await storedCeremony(current().db, {
      ...{ office: { number: 77 }, signers: [{ state: 'rejected' }] },
    })
    expect(await find(firstIsGone, firstIsGone.signers[1])).toMatchObject({
      document: firstIsGone.document,
    })
  })

  test('has the versions of the session, and no other one', async () => {
    const stored = await storedCeremony(current().db)
    const guest = guestOf(stored, stored.signers[1])
    const version = (number: number) =>
      findGuestVersion(
        current().db,
        guest,
        { documentId: stored.document.id, version: number },
        MORNING,
      )
    expect(await version(1)).toMatchObject({ document: stored.document, version: { version: 1 } })
    await expect(version(2)).rejects.toMatchObject(NOT_FOUND)
  })
})
