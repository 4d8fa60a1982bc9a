import { beforeAll, expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument, findSameContent } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { CancelDocument, cancelDocument } from '#server/features/documents/cancel-document.ts'
import { judgeUploads } from '#server/features/documents/judge-uploads.ts'
import { PurgeDocument, purgeDocument } from '#server/features/documents/purge-document.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { ReplaceFile, replaceFile } from '#server/features/documents/replace-file.ts'
import { gatherSheetFacts } from '#server/features/evidence/gather-sheet-facts.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { reviewSigningSession } from '#server/features/signing-sessions/review-signing-session.ts'
import { findJudgements } from '#server/steps/judgements/find-judgements.ts'
import { judgeUpload } from '#server/steps/judgements/judge-upload.ts'
import type { System } from '#server/system.ts'
import { asPerson, storedUser, stranger } from '#tests/support/builders.ts'
import { aCeremony, anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import {
  aDraft,
  aPdf,
  aScene,
  onEachSigningSystem,
  readyTrust,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

beforeAll(readyTrust)

const replace = (
  system: System,
  actor: Actor,
  { id }: Pick<Document, 'id'>,
  content: Uint8Array,
  changes: { version?: number; reason?: string | null } = {},
) =>
  replaceFile(system, actor, {
    ...ReplaceFile.parse({
      ...{ documentId: id, version: 1, fileName: 'corregido.pdf', reason: null, ...changes },
    }),
    content: [content],
  })

onEachSigningSystem('replacing the file of a draft', (system) => {
  test('makes the next version; the earlier one stays, and the log has both', async () => {
    const { person, document } = await aScene(system(), { content: await aPdf('Uno') })
    const content = await aPdf('Dos')
    await replace(system(), person, document, content, { reason: 'Se corrigió un lindero' })
    const [second, first] = await listVersions(system().db, document.id)
    expect(second).toMatchObject({
      ...{ version: 2, cause: 'uploaded', by: person.userId, fileName: 'corregido.pdf' },
      bytes: content.length,
    })
    expect(first).toMatchObject({ version: 1, cause: 'uploaded' })
    expect(await bytesIn(system(), second!)).toEqual(Buffer.from(content))
    expect(await bytesIn(system(), first!)).toHaveLength(first!.bytes)
    expect(await findDocument(system().db, document.id)).toMatchObject({
      ...{ version: 2, state: 'draft', folio: document.folio },
    })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'document.file-replaced',
      details: {
        ...{ version: 2, sha256: second!.sha256, replaced: first!.sha256 },
        reason: 'Se corrigió un lindero',
      },
    })
  })

  test('is judged like an upload; a judgement of the earlier file that comes late is not kept', async () => {
    const { person, document } = await aScene(system(), { content: await aPdf('Uno') })
    const [first] = await listVersions(system().db, document.id)
    await replace(system(), person, document, await aPdf('Dos'))
    await judgeUpload(system(), first!)
    const judged = (await findJudgements(system(), document.officeId, [document.id])).get(
      document.id,
    )
    const [second] = await listVersions(system().db, document.id)
    expect(judged).toMatchObject({ version: 2, sha256: second!.sha256 })
    await judgeUploads(system())
    expect(
      (await findJudgements(system(), document.officeId, [document.id])).get(document.id),
    ).toMatchObject({
      version: 2,
    })
  })

  test('is what is signed afterwards: the evidence sheet names it as the original', async () => {
    const { person, efirma, document } = await aScene(system(), { content: await aPdf('Uno') })
    await replace(system(), person, document, await aPdf('Dos'))
    await signAs(system(), person, efirma, { ...document, version: 2 })
    const [signed] = await listVersions(system().db, document.id)
    const original = (await listVersions(system().db, document.id)).find(
      ({ version }) => version === 2,
    )
    const current = (await findDocument(system().db, document.id))!
    expect(current.state).toBe('signed')
    const facts = await gatherSheetFacts(system(), current, signed!)
    expect(JSON.stringify(facts)).toContain(original!.sha256)
  })

  test('of two clerks at once, one is told that the file changed; the same file again changes nothing', async () => {
    const { person, document } = await aScene(system())
    const contents = [await aPdf('Dos'), await aPdf('Tres')] as const
    const outcomes = await Promise.all(
      contents.map((content) => outcomeOf(replace(system(), person, document, content))),
    )
    expect(outcomes.toSorted()).toEqual(['done', 'file-changed'])
    const versions = await listVersions(system().db, document.id)
    expect(versions).toHaveLength(2)
    const kept = contents[outcomes.indexOf('done')]!
    expect(await outcomeOf(replace(system(), person, document, kept))).toBe('same-file')
    expect(await outcomeOf(replace(system(), person, document, kept, { version: 2 }))).toBe(
      'same-file',
    )
    expect(await listVersions(system().db, document.id)).toHaveLength(2)
  })

  test('is refused beside a signature, of a cancelled document, and to others', async () => {
    const { person, office, efirma, document } = await aScene(system())
    const content = await aPdf('Dos')
    const auditor = asPerson(await storedUser(system().db, office, ['AUDITOR']))
    expect(await outcomeOf(replace(system(), auditor, document, content))).toBe('forbidden')
    expect(await outcomeOf(replace(system(), stranger(), document, content))).toBe('not-signed-in')
    expect(await outcomeOf(replace(system(), person, document, Buffer.from('no es')))).toBe(
      'not-a-pdf',
    )
    await prepareSignature(system(), person, {
      ...{ documentId: document.id, version: 1, certificate: efirma.cer },
    })
    expect(await outcomeOf(replace(system(), person, document, content))).toBe('someone-signing')
    const cancelled = await aDraft(system(), person, await aPdf('Otro'))
    await cancelDocument(
      system(),
      person,
      CancelDocument.parse({ documentId: cancelled.id, reason: 'Me equivoqué' }),
    )
    expect(await outcomeOf(replace(system(), person, cancelled, content))).toBe('wrong-state')
    expect(await listVersions(system().db, document.id)).toHaveLength(1)
  })

  test('is refused while a session holds the document', async () => {
    const content = await aPdf('Dos')
    const ceremony = await aCeremony(system(), [1])
    const asked = sessionOf([ceremony.document], [ceremony.parties[0]!.asked])
    await anOpenSession(system(), ceremony.person, asked)
    expect(await outcomeOf(replace(system(), ceremony.person, ceremony.document, content))).toBe(
      'wrong-state',
    )
  })

  test('changes what the review of a session shows, so that a reviewed session is not opened with it', async () => {
    const { person, document, parties } = await aCeremony(system(), [1])
    const { id } = await createSigningSession(
      system(),
      person,
      sessionOf([document], [parties[0]!.asked]),
    )
    const review = async () =>
      (await reviewSigningSession(system(), person, { signingSessionId: id, chosen: null })).digest
    const before = await review()
    await replace(system(), person, document, await aPdf('Dos'))
    expect(await review()).not.toBe(before)
  })

  test('is known as the content of the document; the replaced content is not any more', async () => {
    const { person, office, document } = await aScene(system(), { content: await aPdf('Uno') })
    const [first] = await listVersions(system().db, document.id)
    await replace(system(), person, document, await aPdf('Dos'))
    const [second] = await listVersions(system().db, document.id)
    const known = (sha256: NonNullable<typeof first>['sha256']) =>
      findSameContent(system().db, { officeId: office.id, sha256 })
    expect((await known(second!.sha256))?.id).toBe(document.id)
    expect(await known(first!.sha256)).toBeUndefined()
  })

  test('does not keep a purge from removing every version', async () => {
    const { person, office, document } = await aScene(system(), { content: await aPdf('Uno') })
    await replace(system(), person, document, await aPdf('Dos'))
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    await purgeDocument(
      system(),
      admin,
      PurgeDocument.parse({ documentId: document.id, reason: 'De otra notaría' }),
    )
    for (const version of await listVersions(system().db, document.id))
      await expect(bytesIn(system(), version)).rejects.toThrow()
    expect(await readDocument(system(), person, { documentId: document.id })).toMatchObject({
      purged: { reason: 'De otra notaría' },
    })
  })
})
