import { expect, test } from 'vitest'
import { findOffice } from '#server/db/people/offices.ts'
import { minutes } from '#server/domain/time.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { readExportedPresence } from '#server/features/documents/read-exported-presence.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { beginPresence } from '#server/features/presence/begin-presence.ts'
import { provePresence } from '#server/features/presence/prove-presence.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { readSigning } from '#server/features/signatures/read-signing.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('signing with required presence', (current) => {
  test('presence: required to prepare, and its method is in the event', async () => {
    const system = current()
    const { office, user, document, efirma } = await aScene(system)
    const administrator = asPerson(await storedUser(system.db, office, ['ADMIN']))
    await changePolicies(system, administrator, { decided: { presence: 'required' } })
    await changePolicies(system, administrator, { decided: { presence: 'required' } })
    expect(await findOffice(system.db, office.id)).toMatchObject({ presence: 'required' })
    const changed = (await system.log()).filter(
      ({ action }) => action === 'office.policies-changed',
    )
    expect(changed.map(({ details }) => details)).toEqual([
      { presence: 'required', presenceBefore: 'none' },
    ])

    const person = await signedIn(system, user)
    const { key } = await registeredKey(system, person)
    const documentId = document.id
    const wanted = { documentId, version: 1, certificate: efirma.cer }
    await expect(prepareSignature(system, person, wanted)).rejects.toMatchObject({
      code: 'presence-needed',
    })
    expect(await readSigning(system, person, { documentId })).toMatchObject({ needsPresence: true })

    const documents = [{ documentId, version: 1 }]
    const response = key.assert(await beginPresence(system, person, { documents }))
    const outcome = await provePresence(system, person, { method: 'WEBAUTHN', response })
    if (outcome.kind !== 'proven') throw new Error(outcome.kind)
    expect(await readSigning(system, person, { documentId })).toMatchObject({
      needsPresence: false,
    })
    await signAs(system, person, efirma, document)
    const [signed] = (await system.log()).filter(({ action }) => action === 'document.signed')
    expect(signed?.details).toMatchObject({
      presence: 'webauthn',
      presenceProof: outcome.proof.id,
    })
    const { signatures } = await readDocument(system, person, { documentId })
    expect(signatures.map(({ presence }) => presence?.id)).toEqual([outcome.proof.id])
    const { file } = await readExportedPresence(system, person, { documentId })
    expect(file.proofs.map(({ id }) => id)).toEqual([outcome.proof.id])
  })

  test('presence proof: an expired one does not allow signing', async () => {
    const system = current()
    const { user, document, efirma } = await aScene(system, { office: { presence: 'required' } })
    const person = await signedIn(system, user)
    const { key } = await registeredKey(system, person)
    const documents = [{ documentId: document.id, version: 1 }]
    const response = key.assert(await beginPresence(system, person, { documents }))
    expect(await provePresence(system, person, { method: 'WEBAUTHN', response })).toMatchObject({
      kind: 'proven',
    })
    system.wait(minutes(5))
    const wanted = { documentId: document.id, version: 1, certificate: efirma.cer }
    await expect(prepareSignature(system, person, wanted)).rejects.toMatchObject({
      code: 'presence-needed',
    })
  })

  test('presence: the event says that the office did not ask', async () => {
    const system = current()
    const { user, person, document, efirma } = await aScene(system)
    await signAs(system, person, efirma, document)
    const [signed] = (await system.log()).filter(({ action }) => action === 'document.signed')
    expect(signed?.details).toMatchObject({ presence: 'not-asked', presenceProof: null })
    const clerk = asPerson(user, { roles: ['CLERK'] })
    await expect(
      changePolicies(system, clerk, { decided: { presence: 'required' } }),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
