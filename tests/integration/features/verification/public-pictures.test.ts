import { expect, test } from 'vitest'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import {
  decidePictureConsent,
  readPictureConsent,
} from '#server/features/verification/decide-picture-consent.ts'
import { drawPublicPage, readPublicPages } from '#server/features/verification/read-public-pages.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { setPublicLookup } from '#server/features/verification/set-public-lookup.ts'
import { setPublicPictures } from '#server/features/verification/set-public-pictures.ts'
import { aGuest, asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import {
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
} from '#tests/support/office/signing-system.ts'

onEachSigningSystem('pages on the public page', (system) => {
  /** A document that one notary has signed. */
  async function aSigned(): Promise<Scene> {
    const scene = await aScene(system())
    await signAs(system(), scene.person, scene.efirma, scene.document)
    return scene
  }
  const consent = ({ document, person }: Scene, state: 'given' | 'withdrawn', by: Actor = person) =>
    decidePictureConsent(system(), by, { documentId: document.id, state })
  const show = ({ document, person }: Scene, state: 'on' | 'off' = 'on', by: Actor = person) =>
    setPublicPictures(system(), by, { documentId: document.id, state })
  const stateOf = async ({ document }: Scene) =>
    (await findDocument(system().db, document.id))?.publicPictures.state
  const UNKNOWN = { code: 'not-found', message: 'no public pages' }

  /** What a stranger gets. */
  async function answers(id: DocumentId) {
    const asked = { id, page: 1, width: 640 } as const
    return {
      page: await readPublicPages(system(), stranger(), { id }).catch((error) => error),
      picture: await drawPublicPage(system(), stranger(), asked).catch((error) => error),
    }
  }
  const mustBeUnknown = async ({ document }: Scene) =>
    expect(await answers(document.id)).toMatchObject({ page: UNKNOWN, picture: UNKNOWN })

  async function hasLink({ document }: Scene) {
    const found = await readVerification(system(), stranger(), { id: document.id })
    return found.kind === 'found' && found.hasPictures
  }

  test('an external signer who has not accepted the aviso de privacidad decides nothing', async () => {
    const { office, document } = await aScene(system())
    const guest = aGuest(office, { consentedAt: null })
    const decision = { documentId: document.id, state: 'given' } as const
    await expect(decidePictureConsent(system(), guest, decision)).rejects.toMatchObject({
      code: 'consent-needed',
    })
  })

  test('off by default; shown after the consent of every signer, once a notary decides it', async () => {
    const scene = await aSigned()
    const { document, person } = scene
    await mustBeUnknown(scene)
    await expect(show(scene)).rejects.toMatchObject({ code: 'pictures-not-allowed' })
    const { pictures } = await readDocument(system(), person, { documentId: document.id })
    expect(pictures?.missing).toEqual(['Ana María Muñoz López'])

    await consent(scene, 'given')
    expect((await system().log()).at(-1)).toMatchObject({ action: 'document.pictures-consented' })
    expect(await readPictureConsent(system(), person, document.id)).toBe('given')
    // Consent alone shows nothing.
    await mustBeUnknown(scene)
    expect(await hasLink(scene)).toBe(false)

    await show(scene)
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'document.pictures-changed',
      details: { publicPictures: 'on' },
    })
    expect(await hasLink(scene)).toBe(true)
    const { page, picture } = await answers(document.id)
    expect(page.version.pages).toBe(2)
    expect(Buffer.from(picture.picture).toString('latin1', 1, 4)).toBe('PNG')
    const beyond = { id: document.id, page: 3, width: 640 } as const
    await expect(drawPublicPage(system(), stranger(), beyond)).rejects.toMatchObject({
      code: 'not-found',
    })
    const held = [picture.name]
    const again = await drawPublicPage(system(), stranger(), { ...beyond, page: 1, held })
    expect(again).toEqual({ name: picture.name, picture: undefined })
  })

  test('withdrawn by a signer, or decided by a notary: hidden at once', async () => {
    const scene = await aSigned()
    await consent(scene, 'given')
    await show(scene)
    await consent(scene, 'withdrawn')
    expect((await system().log()).slice(-2)).toMatchObject([
      { action: 'document.pictures-consent-withdrawn' },
      {
        action: 'document.pictures-changed',
        details: { publicPictures: 'off', reason: 'consent-withdrawn' },
      },
    ])
    await mustBeUnknown(scene)
    expect(await hasLink(scene)).toBe(false)
    await consent(scene, 'given')
    // A notary decides again.
    await mustBeUnknown(scene)
    await show(scene)
    await show(scene, 'off')
    await mustBeUnknown(scene)
  })

  test('public look-up switched off: pages are hidden, also after it is on again', async () => {
    const scene = await aSigned()
    const { document, person } = scene
    await consent(scene, 'given')
    await show(scene)
    await setPublicLookup(system(), person, { documentId: document.id, state: 'off' })
    expect(await stateOf(scene)).toBe('off')
    await mustBeUnknown(scene)
    await expect(show(scene)).rejects.toMatchObject({ code: 'pictures-not-allowed' })
    await setPublicLookup(system(), person, { documentId: document.id, state: 'on' })
    await mustBeUnknown(scene)
  })

  test('sent twice, or at once: one event for each change', async () => {
    const scene = await aSigned()
    const before = (await system().log()).length
    await Promise.all([consent(scene, 'given'), consent(scene, 'given')])
    await consent(scene, 'given')
    await Promise.all([show(scene), show(scene)])
    expect(await system().log()).toHaveLength(before + 2)
  })

  test('withdrawn and shown at once: never shown without the consent', async () => {
    const scene = await aSigned()
    await consent(scene, 'given')
    await Promise.all([
      consent(scene, 'withdrawn'),
      show(scene).catch((error) => expect(error.code).toBe('pictures-not-allowed')),
    ])
    expect(await stateOf(scene)).toBe('off')
    await mustBeUnknown(scene)
  })

  test('refused: users who did not sign, others than notaries, other offices', async () => {
    const scene = await aSigned()
    await consent(scene, 'given')
    const { office, document } = scene
    const clerk = asPerson(await storedUser(system().db, office, ['CLERK']))
    await expect(consent(scene, 'withdrawn', clerk)).rejects.toMatchObject({ code: 'not-a-signer' })
    expect(await readPictureConsent(system(), clerk, document.id)).toBeNull()
    await expect(show(scene, 'on', clerk)).rejects.toMatchObject({ code: 'forbidden' })
    const other = await storedOffice(system().db, { number: 99 })
    const notary = asPerson(await storedUser(system().db, other, ['NOTARY']))
    await expect(show(scene, 'on', notary)).rejects.toMatchObject({ code: 'not-found' })
    await expect(consent(scene, 'given', notary)).rejects.toMatchObject({ code: 'not-found' })
    await expect(consent(scene, 'given', stranger())).rejects.toMatchObject({
      code: 'not-signed-in',
    })
  })

  test('limited: a network gets 300 pictures in ten minutes', async () => {
    const scene = await aSigned()
    await consent(scene, 'given')
    await show(scene)
    const asked = { id: scene.document.id, page: 1, width: 640 } as const
    for (let count = 0; count < 300; count++) await drawPublicPage(system(), stranger(), asked)
    await expect(drawPublicPage(system(), stranger(), asked)).rejects.toMatchObject({
      code: 'too-many-attempts',
    })
  })
})
