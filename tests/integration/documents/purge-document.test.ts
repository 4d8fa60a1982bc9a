import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { listStoredPaths } from '#server/db/documents/stored-paths.ts'
import { listUnneededFiles } from '#server/db/documents/unneeded-files.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { hours } from '#server/domain/time.ts'
import { CancelDocument, cancelDocument } from '#server/features/documents/cancel-document.ts'
import { openVersion } from '#server/features/documents/open-version.ts'
import { PurgeDocument, purgeDocument } from '#server/features/documents/purge-document.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { removeUnneededFiles } from '#server/features/documents/remove-unneeded-files.ts'
import { examineFiles } from '#server/features/installation/examine-files.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { reviewSigningSession } from '#server/features/signing-sessions/review-signing-session.ts'
import { findOrAwaitJudgements } from '#server/steps/judgements/find-judgements.ts'
import type { System } from '#server/system.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { aCeremony, anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { aDraft, onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const CONTENT = Buffer.from('%PDF-1.7\nun archivo ajeno\n%%EOF\n')
const REASON = 'Es de otra notaría'

async function anOffice(system: TestSystem) {
  const office = await storedOffice(system.db)
  const personOf = async (role: Role): Promise<Person> =>
    asPerson(await storedUser(system.db, office, [role]))
  return { office, clerk: await personOf('CLERK'), admin: await personOf('ADMIN'), personOf }
}

const purge = (system: System, actor: Actor, { id }: Pick<Document, 'id'>) =>
  purgeDocument(system, actor, PurgeDocument.parse({ documentId: id, reason: REASON }))

const filesIn = (system: TestSystem) =>
  readdirSync(system.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'checkpoints.jsonl')
    .map(({ parentPath, name }) => join(parentPath, name))

const addressOf = async (system: System, { id }: Document) => (await findVersion(system.db, id, 1))!

onEachSystem('purging a document', (system) => {
  test('removes file and key; row, folio and events stay, and its page says why', async () => {
    const { clerk, admin } = await anOffice(system())
    const document = await aDraft(system(), clerk, CONTENT)
    expect(filesIn(system())).toHaveLength(1)
    await purge(system(), admin, document)
    expect(filesIn(system())).toEqual([])
    expect(await listStoredPaths(system().db, { after: undefined, limit: 10 })).toEqual([])
    expect(await listUnneededFiles(system().db, 10)).toEqual([])
    expect(await findDocument(system().db, document.id)).toMatchObject({
      ...{ folio: document.folio, title: document.title, state: 'cancelled' },
      purged: { by: admin.userId },
    })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'document.purged',
      details: { reason: REASON, bytes: CONTENT.length },
    })
    system().wait(hours(1))
    const { purged } = await readDocument(system(), clerk, { documentId: document.id })
    expect(purged).toMatchObject({ reason: REASON, by: fullName(admin) })
  })

  test('leaves an examination without faults, and the file cannot be opened any more', async () => {
    const { clerk, admin } = await anOffice(system())
    const document = await aDraft(system(), clerk, CONTENT)
    await purge(system(), admin, document)
    expect(await examineFiles(system(), true)).toEqual([
      { code: 'files-held', level: 'good', parameters: { files: 0, hashed: true } },
    ])
    const open = openVersion(system(), clerk, {
      ...{ documentId: document.id, version: 1, purpose: 'download' },
    })
    await expect(open).rejects.toMatchObject({ code: 'file-purged' })
  })

  test('leaves the file as long as another document of the office has the same content', async () => {
    const { clerk, admin } = await anOffice(system())
    const one = await aDraft(system(), clerk, CONTENT, 'Uno')
    const two = await aDraft(system(), clerk, CONTENT, 'Dos')
    await purge(system(), admin, one)
    const address = await addressOf(system(), two)
    expect(await bytesIn(system(), address)).toEqual(CONTENT)
    await purge(system(), admin, two)
    expect(filesIn(system())).toEqual([])
    expect(await findStoredFile(system().db, address)).toBeUndefined()
  })

  test('is done once, also of what was cancelled, and not again', async () => {
    const { clerk, admin } = await anOffice(system())
    const document = await aDraft(system(), clerk, CONTENT)
    await cancelDocument(
      system(),
      clerk,
      CancelDocument.parse({ documentId: document.id, reason: 'Me equivoqué' }),
    )
    const ends = await Promise.allSettled([1, 2].map(() => purge(system(), admin, document)))
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(purge(system(), admin, document)).rejects.toMatchObject({ code: 'wrong-state' })
    const detail = await readDocument(system(), clerk, { documentId: document.id })
    expect(detail).toMatchObject({
      cancelled: { reason: 'Me equivoqué' },
      purged: { reason: REASON },
    })
  })

  test('is finished by the job after a crash between the rows and the file', async () => {
    const { clerk, admin } = await anOffice(system())
    const document = await aDraft(system(), clerk, CONTENT)
    const crashed = new Error('killed')
    const blobs = { ...system().blobs, remove: () => Promise.reject(crashed) }
    await expect(purge({ ...system(), blobs }, admin, document)).rejects.toBe(crashed)
    expect(filesIn(system())).toHaveLength(1)
    expect(await findDocument(system().db, document.id)).toMatchObject({ state: 'cancelled' })
    expect(await removeUnneededFiles(system())).toBe(1)
    expect(await removeUnneededFiles(system())).toBe(0)
    expect(filesIn(system())).toEqual([])
  })

  test('does not take the file of an upload of the same content that is under way', async () => {
    const { clerk, admin } = await anOffice(system())
    const one = await aDraft(system(), clerk, CONTENT, 'Uno')
    const blobs: System['blobs'] = {
      ...system().blobs,
      async stage(...asked) {
        const staged = await system().blobs.stage(...asked)
        let isPurged = false
        return {
          ...staged,
          async keep(officeId) {
            await staged.keep(officeId)
            if (!isPurged) await purge(system(), admin, one)
            isPurged = true
          },
        }
      },
    }
    const two = await aDraft({ ...system(), blobs }, clerk, CONTENT, 'Dos')
    expect(await bytesIn(system(), await addressOf(system(), two))).toEqual(CONTENT)
    expect(filesIn(system())).toHaveLength(1)
  })

  test('is for an administrator of the office who has just proven who they are', async () => {
    const { clerk, admin, personOf } = await anOffice(system())
    const document = await aDraft(system(), clerk, CONTENT)
    const other = asPerson(
      await storedUser(system().db, await storedOffice(system().db, { number: 13 }), ['ADMIN']),
    )
    await expect(purge(system(), stranger(), document)).rejects.toMatchObject({
      code: 'not-signed-in',
    })
    for (const person of [clerk, await personOf('NOTARY')])
      await expect(purge(system(), person, document)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(purge(system(), other, document)).rejects.toMatchObject({ code: 'not-found' })
    system().wait(hours(1))
    await expect(purge(system(), admin, document)).rejects.toMatchObject({ code: 'step-up-needed' })
    expect(filesIn(system())).toHaveLength(1)
  })
})

onEachSigningSystem('purging what somebody was asked to sign', (system) => {
  test('is refused, also after the session was cancelled; so is withdrawing it', async () => {
    const { person, document, parties } = await aCeremony(system(), [1])
    const asked = parties.map(({ asked }) => asked)
    const session = await anOpenSession(system(), person, sessionOf([document], asked))
    const office = { id: document.officeId } as Parameters<typeof storedUser>[1]
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    await expect(purge(system(), admin, document)).rejects.toMatchObject({ code: 'wrong-state' })
    await cancelSigningSession(system(), person, {
      ...{ signingSessionId: session.id, reason: 'Faltó una parte' as never },
    })
    await expect(purge(system(), admin, document)).rejects.toMatchObject({ code: 'wrong-state' })
    const { id } = document
    await system().db.transaction((trx) =>
      trx.updateTable('documents').set({ created_by: admin.userId }).where('id', '=', id).execute(),
    )
    const clerk = { ...admin, roles: ['CLERK'] } as Person
    const withdraw = cancelDocument(
      system(),
      clerk,
      CancelDocument.parse({ documentId: id, reason: 'Me equivoqué' }),
    )
    await expect(withdraw).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is possible while it is only in a draft of a session', async () => {
    const { person, document, parties } = await aCeremony(system(), [1])
    const asked = parties.map(({ asked }) => asked)
    await createSigningSession(system(), person, sessionOf([document], asked))
    const office = { id: document.officeId } as Parameters<typeof storedUser>[1]
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    await purge(system(), admin, document)
    expect(await findDocument(system().db, document.id)).toMatchObject({ state: 'cancelled' })
  })

  test('leaves the review of the draft of a session readable, without a sheet', async () => {
    const { person, document, parties } = await aCeremony(system(), [1])
    const asked = parties.map(({ asked }) => asked)
    const { id } = await createSigningSession(system(), person, sessionOf([document], asked))
    const office = { id: document.officeId } as Parameters<typeof storedUser>[1]
    await purge(system(), asPerson(await storedUser(system().db, office, ['ADMIN'])), document)
    const review = { signingSessionId: id, chosen: null }
    expect(await reviewSigningSession(system(), person, review)).toMatchObject({
      documents: [{ document: { id: document.id }, getsSheet: false }],
    })
  })

  test('ends the judgement of its file, and none is awaited again', async () => {
    const { document } = await aCeremony(system(), [1])
    const awaited = async () => {
      await findOrAwaitJudgements(system(), document.officeId, [document.id])
      return system().db.selectFrom('upload_judgements').select('document_id').execute()
    }
    expect(await awaited()).toEqual([{ document_id: document.id }])
    const office = { id: document.officeId } as Parameters<typeof storedUser>[1]
    await purge(system(), asPerson(await storedUser(system().db, office, ['ADMIN'])), document)
    expect(await awaited()).toEqual([])
  })
})
