import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import { resolveAlert } from '#server/features/alerts/resolve-alert.ts'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { openSignedRevision } from '#server/features/documents/open-signed-revision.ts'
import { openVersion } from '#server/features/documents/open-version.ts'
import { streamVersion } from '#server/features/documents/stream-version.ts'
import { buildEvidencePackage } from '#server/features/evidence/build-evidence-package.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { stranger } from '#tests/support/builders.ts'
import { aCeremony, aFurtherSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import {
  aScene,
  onEachSigningSystem,
  signAs,
  signBytes,
} from '#tests/support/office/signing-system.ts'
import { storedPath } from '#tests/support/stored-files.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

type Wanted = { documentId: DocumentId; version: number }

/** What users read besides signing. */
const READINGS: Record<
  string,
  (system: TestSystem, person: Person, wanted: Wanted) => Promise<unknown>
> = {
  async 'a download'(system, person, wanted) {
    const opened = await openVersion(system, person, { ...wanted, purpose: 'download' })
    return await streamVersion(system, opened, 0, opened.version.bytes)
  },
  'a picture of a page': (system, person, wanted) =>
    drawPage(system, person, { ...wanted, page: 1 }),
  'a signed revision': (system, person, { documentId }) =>
    openSignedRevision(system, person, { documentId, signature: 1 }),
  'the public verdict': (system, _person, { documentId }) =>
    readVerification(system, stranger(), { id: documentId }),
  'an evidence package': (system, person, { documentId }) =>
    buildEvidencePackage(system, person, { documentId }, () => {
      throw new Error('nothing is printed about a damaged file')
    }),
}

/* A stored file that no longer matches its registered digest is not signed, and raises an alert. */
onEachSigningSystem('a stored file that changed', (system) => {
  const fileOf = async ({ id, version }: Pick<Document, 'id' | 'version'>) => {
    return await storedPath(system(), (await findVersion(system().db, id, version))!)
  }
  const change = (file: string) => {
    const bytes = readFileSync(file)
    bytes[100] = bytes[100]! ^ 1
    writeFileSync(file, bytes)
  }
  const incoming = () => readdirSync(path.join(system().folder, 'incoming'))

  test('is not prepared for a signature', async () => {
    const { person, efirma, document } = await aScene(system())
    const file = await fileOf(document)
    const whole = readFileSync(file)
    change(file)
    const refused = { code: 'stored-file-damaged' }
    await expect(signAs(system(), person, efirma, document)).rejects.toMatchObject(refused)
    expect(await findDocument(system().db, document.id)).toEqual(document)

    // Recovered from a backup.
    writeFileSync(file, whole)
    await signAs(system(), person, efirma, document)
    const signed = { id: document.id, version: 2 }
    const asked = { kind: 'user', userId: person.userId, character: null, step: 1 } as const
    await aFurtherSession(system(), person, signed, [asked])
    change(await fileOf({ ...document, version: 2 }))
    await expect(signAs(system(), person, efirma, signed)).rejects.toMatchObject(refused)
  })

  test('alerts the administrators and the log once until it is resolved', async () => {
    const { person, efirma, document } = await aScene(system(), { roles: ['NOTARY', 'ADMIN'] })
    change(await fileOf(document))
    const sign = () => signAs(system(), person, efirma, document)
    const recorded = async () => {
      const { alerts } = await listAlerts(system(), person, ListAlerts.parse({}))
      const events = (await system().log()).filter(({ action }) => action === 'document.damaged')
      return { alerts: alerts.filter(({ kind }) => kind === 'file-damaged'), events }
    }
    const named = { code: 'stored-file-damaged', kind: document.folio }
    for (const _ of [1, 2]) await expect(sign()).rejects.toMatchObject(named)
    const { alerts, events } = await recorded()
    const { folio, officeId, id } = document
    expect(alerts).toMatchObject([
      { officeId, userId: null, severity: 'danger', subjectId: id, facts: { folio, version: 1 } },
    ])
    expect(events).toMatchObject([{ officeId, subject: { id }, details: { version: 1 } }])

    // Seen to, but not recovered.
    await resolveAlert(system(), person, { alertId: alerts[0]!.id })
    await expect(sign()).rejects.toMatchObject(named)
    expect(await recorded()).toMatchObject({ alerts: { length: 1 }, events: { length: 2 } })
  })

  test.each(Object.entries(READINGS))(
    'alerts the administrators when %s is read',
    async (_, read) => {
      const { person, efirma, document } = await aScene(system(), { roles: ['NOTARY', 'ADMIN'] })
      await signAs(system(), person, efirma, document)
      change(await fileOf({ id: document.id, version: 2 }))
      const documentId = document.id
      const reading = read(system(), person, { documentId, version: 2 })
      await expect(reading).rejects.toMatchObject({ code: 'stored-file-damaged' })
      const { alerts } = await listAlerts(system(), person, ListAlerts.parse({}))
      expect(alerts.filter(({ kind }) => kind === 'file-damaged')).toMatchObject([
        { subjectId: documentId, facts: { folio: document.folio, version: 2 } },
      ])
      const events = (await system().log()).filter(({ action }) => action === 'document.damaged')
      expect(events).toMatchObject([{ subject: { id: documentId }, details: { version: 2 } }])
    },
  )

  test.each(['other bytes', 'fewer bytes', 'nothing'])(
    'between the two halves leaves nothing behind: %s',
    async (how) => {
      const { person, efirma, document } = await aScene(system())
      const certificate = efirma.cer
      const input = { documentId: document.id, version: 1, certificate }
      const prepared = await prepareSignature(system(), person, input)
      if (prepared.kind === 'refused') throw new Error(prepared.sentence)
      const signature = await signBytes(efirma, prepared.toBeSigned)
      const completion = { preparedId: prepared.id, signature }
      const file = await fileOf(document)
      const whole = readFileSync(file)
      if (how === 'other bytes') change(file)
      else truncateSync(file, how === 'fewer bytes' ? whole.length - 10 : 0)

      await expect(completeSignature(system(), person, completion)).rejects.toMatchObject({
        code: 'stored-file-damaged',
      })
      expect(await findDocument(system().db, document.id)).toEqual(document)
      expect(incoming()).toEqual([])

      writeFileSync(file, whole)
      const done = await completeSignature(system(), person, completion)
      expect(done).toEqual({ documentId: document.id, version: 2 })
      expect(existsSync(await fileOf({ ...document, version: 2 }))).toBe(true)
    },
  )

  test('is not given to the signers of a session', async () => {
    const { person, drafts, parties } = await aCeremony(system(), [1], 2)
    const asked = parties.map((party) => party.asked)
    const { id } = await createSigningSession(system(), person, sessionOf(drafts, asked))
    const opening = { signingSessionId: id }
    // Both drafts have the same bytes; the first one is reported.
    const file = await fileOf(drafts[0]!)
    const whole = readFileSync(file)
    change(file)
    await expect(openSigningSession(system(), person, opening)).rejects.toMatchObject({
      code: 'stored-file-damaged',
      kind: drafts[0]!.folio,
    })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'document.damaged',
      subject: { id: drafts[0]!.id },
    })
    expect((await findCeremony(system().db, id))?.session.state).toBe('draft')
    expect(incoming()).toEqual([])
    writeFileSync(file, whole)
    await openSigningSession(system(), person, opening)
    expect((await findCeremony(system().db, id))?.session.state).toBe('open')
  })
})
