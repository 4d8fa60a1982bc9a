import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { PACKAGE_LIFETIME } from '#server/domain/care/arco-package.ts'
import { privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { expirePackages, makePackages } from '#server/features/arco/make-packages.ts'
import { readArcoRequest } from '#server/features/arco/read-arco-request.ts'
import { openPackage, requestPackage } from '#server/features/arco/request-package.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { decidePictureConsent } from '#server/features/verification/decide-picture-consent.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aGrantedRequest } from '#tests/support/office/arco.ts'
import {
  aGuestInvitation,
  aLink,
  external,
  mustResume,
  opened,
} from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

type Pair = { one: ReturnType<typeof external>; other: ReturnType<typeof external>; title: string }

const BENITO = {
  ...{ name: 'Benito Núñez Peña', rfc: 'NUPB801201QX7', email: 'benito@ejemplo.example' },
}

/** Two people in one document, as much alike as people are. */
const PAIRS: readonly [string, Pair][] = [
  [
    'of other names',
    {
      one: external({ ...BENITO, character: 'Comprador' }),
      other: external({
        ...{ name: 'Carla Ruiz Soto', rfc: 'RUSC850101QX8', email: 'carla@ejemplo.example' },
        character: 'Vendedora',
      }),
      title: 'Compraventa de Carla Ruiz Soto a Benito Núñez Peña',
    },
  ],
  [
    'one of whom represents the other',
    {
      one: external({ ...BENITO, character: 'Representante de Carla Ruiz Soto' }),
      other: external({
        ...{ name: 'Carla Ruiz Soto', rfc: 'RUSC850101QX8', email: 'carla@ejemplo.example' },
        character: 'Vendedora, con Benito Núñez Peña',
      }),
      title: 'Poder de Carla Ruiz Soto',
    },
  ],
  [
    'who are siblings and share an address',
    {
      one: external({ ...BENITO, character: 'Heredero' }),
      other: external({
        ...{ name: 'Berta Núñez Peña', rfc: 'NUPB850101QX8', email: BENITO.email },
        character: 'Heredera',
      }),
      title: 'Adjudicación a Berta Núñez Peña',
    },
  ],
]

onEachSigningSystem('what is held about a person', (system) => {
  /** The files of the archive that the job made, by name. */
  async function gathered(by: Parameters<typeof requestPackage>[1], requestId: ArcoRequestId) {
    await requestPackage(system(), by, { requestId })
    await makePackages(system())
    const { made, file } = await openPackage(system(), by, { requestId })
    const address = { officeId: made.officeId, sha256: file.sha256 }
    const bytes = await buffer(system().blobs.stream(address, 0, file.bytes))
    const entries = await readZip(bytes)
    const files = new Map(entries.map((one) => [one.name, new TextDecoder().decode(one.bytes)]))
    return { made, file, files }
  }

  test.each(PAIRS)(
    'archive: of two people %s, that of one has no datum of the other',
    async (_, pair) => {
      const scene = await aGuestInvitation(system(), [pair.one, pair.other], {
        changes: { title: pair.title as never, message: `Para ${pair.other.name}` as never },
      })
      const { office, document } = scene
      const { sha256: notice } = privacyNoticeOf(office)
      for (const index of [0, 1]) {
        const guest = await mustResume(
          system(),
          await opened(system(), await aLink(system(), scene, index)),
        )
        await acceptPrivacyNotice(system(), guest, { notice })
        const agreed = { ...guest, consentedAt: system().clock.now() }
        await decidePictureConsent(system(), agreed, { documentId: document.id, state: 'given' })
      }
      const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
      const id = await aGrantedRequest(system(), admin, {
        ...{ name: pair.one.name, rfc: pair.one.rfc, email: pair.one.email },
      })

      const { files } = await gathered(admin, id)
      expect([...files.keys()]).toEqual(['datos.txt', 'datos.json'])
      const text = String(files.get('datos.txt'))
      const held = JSON.parse(String(files.get('datos.json')))
      expect(Object.keys(held)).toEqual(
        expect.arrayContaining(['Catálogo de partes', 'Consentimientos', 'Bitácora', 'Correos']),
      )
      expect(held['Documentos que se le pidió firmar']).toMatchObject([
        { Folio: document.folio, Nombre: pair.one.name },
      ])
      expect(held.Consentimientos).toHaveLength(2)
      for (const content of [text, JSON.stringify(held)]) {
        expect(content).toContain(pair.one.rfc)
        const [first = ''] = pair.other.name.split(' ')
        for (const datum of [first, pair.other.name, pair.other.rfc, pair.title])
          expect([datum, content.includes(datum)]).toEqual([datum, false])
        if (pair.other.email !== pair.one.email) expect(content).not.toContain(pair.other.email)
      }
      // Staff are others, too.
      expect(text).not.toContain(scene.person.lastName)
    },
  )

  test('archive: records with the RFC and another name are counted, and not given out', async () => {
    const other = { name: 'Dora Salas Ríos', rfc: BENITO.rfc, email: 'dora@ejemplo.example' }
    const scene = await aGuestInvitation(system(), [external(other)])
    const admin = asPerson(await storedUser(system().db, scene.office, ['ADMIN']))
    const id = await aGrantedRequest(system(), admin)
    const { files } = await gathered(admin, id)
    const text = String(files.get('datos.txt'))
    expect(text).not.toMatch(/Dora|dora@/)
    expect(text).toMatch(/Hay 2 registros con su RFC y con otro nombre/)
  })

  test('archive: waits a week, is then removed, and can be made again; each step is an event', async () => {
    const scene = await aGuestInvitation(system(), [external(BENITO)])
    const admin = asPerson(await storedUser(system().db, scene.office, ['ADMIN']))
    const requestId = await aGrantedRequest(system(), admin)
    const { made, file } = await gathered(admin, requestId)
    const address = { officeId: made.officeId, sha256: file.sha256 }

    system().wait(PACKAGE_LIFETIME)
    const later = { ...admin, provenAt: system().clock.now() }
    await expect(openPackage(system(), later, { requestId })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expirePackages(system())
    expect(await findStoredFile(system().db, address)).toBeUndefined()
    const { package: over } = await readArcoRequest(system(), later, { requestId })
    expect(over).toMatchObject({ state: 'expired', file: null })
    await gathered(later, requestId)
    const log = await system().log()
    const actions = log.map(({ action }) => action).filter((action) => /^arco.package/.test(action))
    const steps = ['requested', 'made', 'downloaded']
    expect(actions).toEqual([...steps, 'expired', ...steps].map((step) => `arco.package-${step}`))
  })

  test('archive: is refused before the identity is proven, and without an RFC of the person', async () => {
    const scene = await aGuestInvitation(system(), [external(BENITO)])
    const admin = asPerson(await storedUser(system().db, scene.office, ['ADMIN']))
    for (const [changes, code] of [
      [{ rfc: null }, 'arco-rfc-missing'],
      [{ rfc: 'XAXX010101000' }, 'arco-rfc-missing'],
      [{ kind: 'opposition' }, 'arco-state'],
    ] as const) {
      const requestId = await aGrantedRequest(system(), admin, changes)
      await expect(requestPackage(system(), admin, { requestId })).rejects.toMatchObject({ code })
    }
  })
})
