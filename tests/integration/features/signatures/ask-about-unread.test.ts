import { expect, test } from 'vitest'
import { seconds } from '#server/domain/time.ts'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { TEST_PASSWORD } from '#tests/support/authorities/test-authority.ts'
import { aGuest, aGuestInvitation, external } from '#tests/support/office/guests.ts'
import { aScene, onEachSigningSystem, type Scene } from '#tests/support/office/signing-system.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

const UNREAD = { code: 'pages-unread' }

onEachSigningSystem('signing without having seen all pages', (system) => {
  const asked = ({ document, efirma }: Scene) => ({
    documentId: document.id,
    version: document.version,
    certificate: efirma.cer,
    unread: 'ask' as const,
  })
  const prepare = (scene: Scene) => prepareSignature(system(), scene.person, asked(scene))
  const readAll = ({ person, document }: Scene) =>
    drawPage(system(), person, { documentId: document.id, version: 1, page: 1 })
  const preparedEvent = async () =>
    (await system().log()).find(({ action }) => action === 'signature.prepared')?.details

  test('signer: is asked once, and signs with the next attempt', async () => {
    const scene = await aScene(system())
    await expect(prepare(scene)).rejects.toMatchObject(UNREAD)
    system().wait(seconds(2))
    expect(await prepare(scene)).toMatchObject({ kind: 'prepared' })
    expect(await preparedEvent()).toMatchObject({ pagesSeen: 0, pages: 1 })
  })

  test('refusal: has the page after the furthest one that was shown', async () => {
    const scene = await aScene(system(), { content: pdfWithTable(bodiesWithPages(5)) })
    await expect(prepare(scene)).rejects.toMatchObject({ ...UNREAD, kind: '1' })
    for (const page of [3, 2])
      await drawPage(system(), scene.person, { documentId: scene.document.id, version: 1, page })
    await expect(prepare(scene)).rejects.toMatchObject({ ...UNREAD, kind: '4' })
  })

  test('double click: the second one is no answer', async () => {
    const scene = await aScene(system())
    for (const _ of [1, 2, 3]) await expect(prepare(scene)).rejects.toMatchObject(UNREAD)
    system().wait(seconds(3))
    expect(await prepare(scene)).toMatchObject({ kind: 'prepared' })
  })

  test('signer: who saw the last page is not asked', async () => {
    const scene = await aScene(system())
    await readAll(scene)
    expect(await prepare(scene)).toMatchObject({ kind: 'prepared' })
    expect(await preparedEvent()).toMatchObject({ pagesSeen: 1, pages: 1 })
  })

  test('signer of a session: needs not reach the sheets of signatures', async () => {
    const scene = await aGuestInvitation(system(), [external()], { documents: 1 })
    const { guest } = await aGuest(system(), scene)
    const [draft] = scene.drafts
    if (!draft) throw new Error('the session has a document')
    const shown = { documentId: draft.id, version: 2 }
    const input = { ...shown, certificate: scene.efirma.cer, unread: 'ask' as const }
    await expect(prepareSignature(system(), guest, input)).rejects.toMatchObject(UNREAD)
    await drawPage(system(), guest, { ...shown, page: 1 })
    expect(await prepareSignature(system(), guest, input)).toMatchObject({ kind: 'prepared' })
    expect(await preparedEvent()).toMatchObject({ pagesSeen: 1, pages: 2 })
  })

  test('program: is never asked, and the event says what was shown here', async () => {
    const scene = await aScene(system())
    const { unread: _, ...input } = asked(scene)
    expect(await prepareSignature(system(), scene.person, input)).toMatchObject({
      kind: 'prepared',
    })
    expect(await preparedEvent()).toMatchObject({ pagesSeen: 0, pages: 1 })
  })

  test('key on the server: the question comes before the key is opened, which is wiped all the same', async () => {
    const scene = await aScene(system())
    const input = {
      ...asked(scene),
      certificate: scene.efirma.cer.slice(),
      privateKey: scene.efirma.key.slice(),
      password: `wrong ${TEST_PASSWORD}`,
      consent: true,
    }
    await expect(signOnServer(system(), scene.person, input)).rejects.toMatchObject(UNREAD)
    expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
    expect((await system().log()).map(({ action }) => action)).not.toContain('signature.refused')
  })
})
