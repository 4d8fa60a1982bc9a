import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import type { OutboxRow } from '#server/db/tables/mail.ts'
import { FIRST_LOG, positionOf } from '#server/domain/audit/log.ts'
import { PACKAGE_LIFETIME } from '#server/domain/care/arco-package.ts'
import { privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { expirePackages, makePackages } from '#server/features/arco/make-packages.ts'
import { readArcoRequest } from '#server/features/arco/read-arco-request.ts'
import { openPackage, requestPackage } from '#server/features/arco/request-package.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { decidePictureConsent } from '#server/features/verification/decide-picture-consent.ts'
import { auditActions } from '#server/words/audit/audit-actions.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aGrantedRequest } from '#tests/support/office/arco.ts'
import {
  aGuestInvitation,
  aLink,
  external,
  mustResume,
  opened,
} from '#tests/support/office/guests.ts'
import { anEventAt } from '#tests/support/office/log-events.ts'
import { insertMany } from '#tests/support/office/many-rows.ts'
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

  test('archive: has a mail to the person behind 10,000 to others of the same address', async () => {
    const scene = await aGuestInvitation(system(), [external(BENITO)])
    const { db, clock } = system()
    const mail = (id: string, to_name: string): OutboxRow => ({
      ...{ id, office_id: scene.office.id, kind: 'signing-reminder', to_name, subject: 'Firma' },
      ...{ to_address: BENITO.email, text: '', html: '', key_version: null, sealed_body: null },
      ...{ attachments: null, about: null, created_at: clock.now(), expires_at: clock.now() },
      ...{ state: 'sent', state_since: clock.now(), attempts: 1, next_attempt_at: clock.now() },
      ...{ leased_until: null, last_error: null, discarded_because: null },
    })
    const others = Array.from({ length: 10_000 }, () =>
      mail(`0000${randomUUID().slice(4)}`, 'Berta Núñez Peña'),
    )
    const own = mail(`ffff${randomUUID().slice(4)}`, BENITO.name)
    await db.transaction((trx) => insertMany(trx, db, 'outbox', [...others, own]))
    const admin = asPerson(await storedUser(db, scene.office, ['ADMIN']))
    const { files } = await gathered(admin, await aGrantedRequest(system(), admin))
    const text = String(files.get('datos.txt'))
    expect(text.match(/Recordatorio para firmar/g)).toHaveLength(1)
    expect(text).not.toContain('solo una parte')
  })

  test('archive: says that there are more consents than it has', async () => {
    const scene = await aGuestInvitation(system(), [external(BENITO)])
    const { db, clock } = system()
    const consents = Array.from({ length: 10_001 }, () => ({
      ...{ id: randomUUID(), office_id: scene.office.id, kind: 'pictures-given' },
      ...{ name: BENITO.name, rfc: BENITO.rfc, user_id: null, session_signer_id: null },
      ...{ signing_session_id: null, document_id: null, notice: null, at: clock.now() },
    }))
    await db.transaction((trx) => insertMany(trx, db, 'consent_records', consents))
    const admin = asPerson(await storedUser(db, scene.office, ['ADMIN']))
    const { files } = await gathered(admin, await aGrantedRequest(system(), admin))
    expect(JSON.parse(String(files.get('datos.json'))).Consentimientos).toHaveLength(10_000)
    expect(String(files.get('datos.txt'))).toContain('De los consentimientos se incluyen los más')
  })

  test('archive: has the newest 10,000 events of each signer and of the account', async () => {
    const scene = await aGuestInvitation(system(), [external(BENITO)])
    const { db, clock } = system()
    const { id: account } = await storedUser(db, scene.office, ['CLERK'], {
      ...{ firstName: 'Benito', lastName: 'Núñez Peña', rfc: BENITO.rfc },
    })
    const start = (await system().log()).length
    type Action = 'alert.read' | 'audit.viewed' | 'audit.exported'
    const eventAt = (seq: number, actor: string, action: Action, log = FIRST_LOG) => ({
      ...{ office_id: scene.office.id, at: clock.now(), actor, action },
      ...{ subject_kind: 'nothing', subject_id: null },
      ...anEventAt(seq, { officeId: scene.office.id, at: clock.now(), action }),
      seq: positionOf(log, seq),
    })
    const [signer = ''] = scene.signerIds
    const events = Array.from({ length: 10_001 }, (_, index) =>
      eventAt(start + index, signer, 'alert.read'),
    )
    const own = [
      eventAt(start + events.length, account, 'audit.viewed'),
      // Of the log that the office has of its own since, at the same place.
      eventAt(start + events.length, account, 'audit.exported', 7),
    ]
    await db.transaction((trx) => insertMany(trx, db, 'audit_events', [...events, ...own]))
    const admin = asPerson(await storedUser(db, scene.office, ['ADMIN']))
    const { files } = await gathered(admin, await aGrantedRequest(system(), admin))
    const text = String(files.get('datos.txt'))
    expect(text.match(new RegExp(`Qué: ${auditActions['alert.read']}`, 'g'))).toHaveLength(10_000)
    for (const action of ['audit.viewed', 'audit.exported'] as const)
      expect(text).toContain(`Qué: ${auditActions[action]}`)
    expect(text).toContain('De la bitácora se incluyen los eventos más recientes de su cuenta')
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
