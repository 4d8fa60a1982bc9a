import { expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { memorySource } from '#server/domain/bytes.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { readDocument as readPdf } from '#server/domain/pdf/document.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray } from '#server/domain/pdf/object.ts'
import { chooseStampPlace, readStampPlaces } from '#server/features/documents/choose-stamp-place.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { readSigning } from '#server/features/signatures/read-signing.ts'
import { findSignable } from '#server/steps/signing/find-signable.ts'
import { foreseeStamp } from '#server/steps/signing/foresee-stamp.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import {
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { lines, STAMPED } from '#tests/support/pdf/stamped-pdfs.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

const UPPER_LEFT = { page: 1, x: 233, y: 71 }

onEachSigningSystem('place of the stamp', (system) => {
  /** A draft that arrived signed: text from 78 to 300 points above the lower edge. */
  async function arrived(entries = ''): Promise<Scene> {
    const bodies = STAMPED.bodies({ content: lines(78, 300) })
    const content = await handSigned({ seal: sealOf(await testEfirma()), bodies, entries })
    return await aScene(system(), { content })
  }
  const place = (
    { document, person }: Scene,
    choice: typeof UPPER_LEFT | null = UPPER_LEFT,
    by = person,
  ) => chooseStampPlace(system(), by, { documentId: document.id, choice })
  const stored = async ({ document }: Scene) => (await findDocument(system().db, document.id))!
  const colleague = async ({ office }: Scene, role: Role) =>
    asPerson(await storedUser(system().db, office, [role]))

  test('chosen: the next signature stands there; page of the document and of the signer say so', async () => {
    const scene = await arrived()
    const { document, person, efirma } = scene
    const documentId = document.id
    await place(scene, UPPER_LEFT, await colleague(scene, 'CLERK'))
    expect((await stored(scene)).stampChoice).toEqual(UPPER_LEFT)
    const event = (await system().log()).at(-1)
    expect(event).toMatchObject({ action: 'document.stamp-placed', details: UPPER_LEFT })

    const forecast = { kind: 'visible', place: { page: 1, top: expect.closeTo((1000 * 18) / 792) } }
    const { stamp } = await readDocument(system(), person, { documentId })
    expect(stamp).toMatchObject(forecast)
    expect((await readSigning(system(), person, { documentId })).stamp).toMatchObject(forecast)

    await signAs(system(), person, efirma, document)
    const version = await findVersion(system().db, documentId, 2)
    const file = readPdf(memorySource(await bytesIn(system(), version!)))
    const widget = formFields(file).at(-1)?.widgets[0]
    const rectangle = file.resolve(entriesOf(file.resolve(widget)).get('Rect'))
    expect(isArray(rectangle) && rectangle.items).toEqual([18, 698, 268, 774])
  })

  test('of a further signature: also visible, and to be chosen, once the document was signed here', async () => {
    const scene = await arrived()
    const { document, person, efirma } = scene
    await signAs(system(), person, efirma, document)
    const documentId = document.id
    const places = await readStampPlaces(system(), person, { documentId })
    expect(places.forecast).toMatchObject({ kind: 'visible', place: { page: 1 } })
    await place(scene)
    expect((await stored(scene)).stampChoice).toEqual(UPPER_LEFT)
    const signable = await findSignable(system().db, { documentId })
    const forecast = { kind: 'visible', place: { top: expect.closeTo((1000 * 18) / 792) } }
    expect(await foreseeStamp(system(), signable)).toMatchObject(forecast)
  })

  test('chosen twice, or at once by two people: one event for each change', async () => {
    const scene = await arrived()
    const before = (await system().log()).length
    await Promise.all([place(scene), place(scene)])
    await place(scene)
    expect(await system().log()).toHaveLength(before + 1)
    await place(scene, null)
    expect((await stored(scene)).stampChoice).toBeNull()
    const details = { page: null, x: null, y: null }
    expect((await system().log()).at(-1)).toMatchObject({ details })
  })

  test.each([
    ['on the text', { page: 1, x: 500, y: 750 }],
    ['beside a blank place', { page: 1, x: 0, y: 0 }],
    ['on a page that is not there', { page: 2, x: 233, y: 71 }],
  ])('refused %s; the choice before stays', async (_, choice) => {
    const scene = await arrived()
    await place(scene)
    await expect(place(scene, choice)).rejects.toMatchObject({ code: 'stamp-place-taken' })
    expect((await stored(scene)).stampChoice).toEqual(UPPER_LEFT)
  })

  test('refused where a certification admits nothing visible; the signer learns why', async () => {
    const scene = await arrived('/Reference[<</TransformMethod/DocMDP/TransformParams<</P 2>>>>]')
    await expect(place(scene)).rejects.toMatchObject({ code: 'stamp-impossible' })
    const { stamp } = await readSigning(system(), scene.person, { documentId: scene.document.id })
    expect(stamp).toEqual({ kind: 'invisible', obstacle: 'certified' })
  })

  test('refused for a document that gets a signature sheet', async () => {
    const scene = await aScene(system())
    await expect(place(scene)).rejects.toMatchObject({ code: 'wrong-state' })
    const { stamp } = await readSigning(system(), scene.person, { documentId: scene.document.id })
    expect(stamp).toBeUndefined()
  })

  test('refused while a signature, which was planned with the place before, is being made', async () => {
    const scene = await arrived()
    const { document, person, efirma } = scene
    const asked = { documentId: document.id, version: 1, certificate: efirma.cer }
    expect((await prepareSignature(system(), person, asked)).kind).toBe('prepared')
    await expect(place(scene)).rejects.toMatchObject({ code: 'someone-signing' })
  })

  test('refused to an auditor, and to another office', async () => {
    const scene = await arrived()
    const auditor = await colleague(scene, 'AUDITOR')
    await expect(place(scene, UPPER_LEFT, auditor)).rejects.toMatchObject({ code: 'forbidden' })
    const office = await storedOffice(system().db, { number: 99 })
    const other = asPerson(await storedUser(system().db, office, ['NOTARY']))
    await expect(place(scene, UPPER_LEFT, other)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('places of a page: of the one that is asked for, else of the one with the next signature', async () => {
    const scene = await arrived()
    const documentId = scene.document.id
    const read = (input: object) =>
      readStampPlaces(system(), scene.person, { documentId, ...input })
    expect(await read({})).toMatchObject({ shown: 1, forecast: { kind: 'visible' } })
    expect(await read({ page: 99 })).toMatchObject({ shown: 1 })
    const { page } = await read({ page: 1, pointed: { x: 100, y: 100 } })
    expect(page?.pointed).toMatchObject({ page: 1 })
    expect(page?.sixths.every((one) => one !== null)).toBe(true)
  })
})
