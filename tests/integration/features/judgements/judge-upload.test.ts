import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { addFinding, findUploadJudgements } from '#server/db/documents/upload-judgements.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { headline } from '#server/domain/verification/codes/headline-codes.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { UploadFinding } from '#server/domain/verification/upload-judgement.ts'
import type { PdfInspection } from '#server/ports/pdf-work.ts'
import { judgeUpload, uploadedVersionOf } from '#server/steps/judgements/judge-upload.ts'
import type { System } from '#server/system.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument, aVersion, someReport } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

/** What the workers say about the file: what they find, or why they refuse. */
type Answers = {
  inspection?: Partial<PdfInspection> | ProblemCode
  picture?: ProblemCode
  report?: Partial<VerificationReport> | ProblemCode
}

const PLAIN: PdfInspection = {
  ...{ pages: 1, signatures: 0, mayBeSigned: true, isFinal: false },
  ...{ unseen: [], isDynamicForm: false },
}
const INVALID = { verdict: 'INVALID', headline: headline('modified-after-signing') } as const

const answer = <T extends object>(whole: T, said: Partial<T> | ProblemCode = {}): Promise<T> =>
  typeof said === 'string'
    ? Promise.reject(new Problem(said, 'as the test asks'))
    : Promise.resolve({ ...whole, ...said })

onEachSystem('judgement of an upload', (current) => {
  async function anUpload() {
    const { db, clock } = current()
    const author = await storedUser(db, await storedOffice(db))
    const document = aDocument(author)
    const version = aVersion(document)
    await db.transaction(async (trx) => {
      await insertDocument(trx, document)
      await insertVersion(trx, version)
    })
    const find = (finding: UploadFinding) =>
      db.transaction((trx) => addFinding(trx, version, finding, clock.now()))
    const stored = async () => (await findUploadJudgements(db, [document.id])).get(document.id)
    return { document, version, find, stored }
  }

  /** A system whose workers answer this, and the number of files that it verified. */
  function workers({ inspection, picture, report }: Answers) {
    const seen = { verified: 0 }
    const system: System = {
      ...current(),
      memory: createMemory(),
      blobs: {
        ...current().blobs,
        withFile: (_, use) => use({ path: '', length: 1, fileKey: null }),
      },
      trust: {
        ...current().trust,
        policy: async () => ({}) as never,
        fingerprint: async () => 'of today',
      },
      pdf: {
        ...current().pdf,
        inspect: () => answer(PLAIN, inspection),
        picture: async () => (await answer({ bytes: new Uint8Array() }, picture)).bytes,
        verify: () => {
          seen.verified += 1
          return answer(someReport, report)
        },
      },
    }
    return { system, seen }
  }

  test('plain file: has no signature, whatever authorities are trusted, and is not verified', async () => {
    const { version, stored } = await anUpload()
    const { system, seen } = workers({ report: INVALID })
    const judgement = await judgeUpload(system, version)
    expect(judgement).toEqual({
      ...{ documentId: version.documentId, version: 1, sha256: version.sha256, findings: [] },
      ...{ verdict: 'NO_SIGNATURE', headline: null, at: system.clock.now() },
    })
    expect(await stored()).toEqual({ ...judgement, trustFingerprint: null })
    expect(seen.verified).toBe(0)
  })

  test.each<[string, Partial<PdfInspection>]>([
    ['a signature', { signatures: 1 }],
    ['content that is not seen', { unseen: ['javascript'] }],
    ['both', { signatures: 1, unseen: ['javascript'] }],
  ])(
    'file with %s: has the verdict of the verifier, under the authorities of today',
    async (_, inspection) => {
      const { version, stored } = await anUpload()
      const { system, seen } = workers({ inspection, report: INVALID })
      expect(await judgeUpload(system, version)).toMatchObject({
        ...INVALID,
        findings: inspection.unseen ?? [],
      })
      expect(await stored()).toMatchObject({ ...INVALID, trustFingerprint: 'of today' })
      expect(seen.verified).toBe(1)
    },
  )

  test('file that is too complex to verify: is undecided', async () => {
    const { version } = await anUpload()
    const { system } = workers({ inspection: { signatures: 1 }, report: 'pdf-too-complex' })
    expect(await judgeUpload(system, version)).toMatchObject({
      ...{ verdict: 'INDETERMINATE', headline: { code: 'too-complex-to-verify' } },
    })
  })

  test('page that cannot be drawn: is a finding about a file that is plain otherwise', async () => {
    const { version } = await anUpload()
    expect(await judgeUpload(workers({ picture: 'damaged-pdf' }).system, version)).toMatchObject({
      ...{ verdict: 'NO_SIGNATURE', findings: ['not-drawable'] },
    })
  })

  test.each<ProblemCode>(['encrypted-pdf', 'damaged-pdf', 'pdf-too-complex'])(
    'file whose inspection is refused, %s: cannot be drawn, and is verified all the same',
    async (inspection) => {
      const { version } = await anUpload()
      const { system, seen } = workers({ inspection, report: INVALID })
      expect(await judgeUpload(system, version)).toMatchObject({
        ...{ ...INVALID, findings: ['not-drawable'] },
      })
      expect(seen.verified).toBe(1)
    },
  )

  test.each<Answers>([
    { inspection: 'too-many-attempts' },
    { inspection: { signatures: 1 }, report: 'too-many-attempts' },
  ])(
    'refusal that says nothing about the file, %j: leaves it without a judgement',
    async (answers) => {
      const { version, stored } = await anUpload()
      const refused = judgeUpload(workers(answers).system, version)
      await expect(refused).rejects.toMatchObject({ code: 'too-many-attempts' })
      expect(await stored()).toBeUndefined()
    },
  )

  test('inspected again: keeps that a page was not drawn, and no finding that is gone', async () => {
    const { version, find } = await anUpload()
    for (const finding of ['attachments', 'not-drawable'] as const) await find(finding)
    const { findings } = await judgeUpload(
      workers({ inspection: { unseen: ['javascript'] } }).system,
      version,
    )
    expect(findings.toSorted()).toEqual(['javascript', 'not-drawable'])
  })

  test('inspection refused: keeps everything that was found before, each once', async () => {
    const { version, find } = await anUpload()
    for (const finding of ['attachments', 'not-drawable'] as const) await find(finding)
    const { findings } = await judgeUpload(workers({ inspection: 'encrypted-pdf' }).system, version)
    expect(findings.toSorted()).toEqual(['attachments', 'not-drawable'])
  })

  test('version to judge: the newest upload; a document without one is a fault', async () => {
    const { document, version } = await anUpload()
    await current().db.transaction((trx) => insertVersion(trx, aVersion(document, 2)))
    expect(await uploadedVersionOf(current(), document.id)).toEqual(version)
    const unknown = DocumentId.parse(randomUUID())
    await expect(uploadedVersionOf(current(), unknown)).rejects.toThrow('was never uploaded')
  })
})
