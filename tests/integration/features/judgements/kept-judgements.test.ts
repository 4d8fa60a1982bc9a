import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findUploadJudgements } from '#server/db/documents/upload-judgements.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { cancelDocument } from '#server/features/documents/cancel-document.ts'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { judgeUploads } from '#server/features/documents/judge-uploads.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import {
  findOrAwaitJudgements,
  mustBeAcknowledged,
} from '#server/steps/judgements/find-judgements.ts'
import type { System } from '#server/system.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const A_MISTAKE = Reason.parse('Se subió dos veces')

const withScript = () =>
  pdfWithTable(bodiesWithPages(1, '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>'))

const withPdf = (system: TestSystem, pdf: Partial<System['pdf']>): TestSystem => ({
  ...system,
  pdf: { ...system.pdf, ...pdf },
})

const refused = (code: ProblemCode) => () => Promise.reject(new Problem(code, 'as the test asks'))

/** The same system, whose files are lost. */
const withoutFiles = (system: TestSystem): TestSystem => ({
  ...system,
  blobs: { ...system.blobs, withFile: () => Promise.reject(new Error('lost')) },
})

async function failToDraw(system: TestSystem, { person, document }: Scene, version: number) {
  const asked = { documentId: document.id, version, page: 1 }
  const blind = withPdf(system, { picture: refused('pdf-too-complex') })
  await expect(drawPage(blind, person, asked)).rejects.toMatchObject({ code: 'pdf-too-complex' })
}

const judgementOf = async ({ db }: System, { id }: { id: DocumentId }) =>
  (await findUploadJudgements(db, [id])).get(id)

async function setRows(system: TestSystem, values: { trust_fingerprint: string }) {
  await system.db.transaction(async (trx) => {
    await trx.updateTable('upload_judgements').set(values).execute()
  })
}

onEachSigningSystem('kept judgements', (system) => {
  test('judging: keeps the finding of a page that fails to be drawn meanwhile', async () => {
    const scene = await aScene(system(), { content: withScript() })
    const meanwhile = withPdf(system(), {
      inspect: async (...asked) => {
        const inspected = await system().pdf.inspect(...asked)
        await failToDraw(system(), scene, 1)
        return inspected
      },
    })
    expect(await judgeUploads(meanwhile)).toBe(1)
    expect((await judgementOf(system(), scene.document))?.findings).toContain('not-drawable')
  })

  test('drawing: a page that fails before the file waits to be judged is a finding', async () => {
    const scene = await aScene(system())
    await system().db.transaction(async (trx) => {
      await trx.deleteFrom('upload_judgements').execute()
    })
    await failToDraw(system(), scene, 1)
    expect(await judgeUploads(system())).toBe(1)
    expect((await judgementOf(system(), scene.document))?.findings).toEqual(['not-drawable'])
  })

  test('drawing: a page of a later version that fails is no finding about the upload', async () => {
    const scene = await aScene(system())
    const { version } = await signAs(system(), scene.person, scene.efirma, scene.document)
    await failToDraw(system(), scene, version)
    expect((await judgementOf(system(), scene.document))?.findings).toEqual([])
  })

  test('signing: refused for a document without an uploaded file', async () => {
    const { user } = await aScene(system())
    const document = { id: DocumentId.parse(randomUUID()), officeId: user.officeId }
    await expect(
      mustBeAcknowledged(system(), document, { userId: user.id, signerId: null }),
    ).rejects.toThrow('was never uploaded')
  })

  test('judging: a file that could not be read is tried again after five minutes', async () => {
    await aScene(system(), { content: withScript() })
    await expect(judgeUploads(withoutFiles(system()))).rejects.toThrow('cannot be judged')
    expect(await judgeUploads(withoutFiles(system()))).toBe(0)
    system().wait(minutes(5))
    expect(await judgeUploads(system())).toBe(1)
  })

  test('judging: a file that is too complex is undecided, another refusal is no verdict', async () => {
    const { document } = await aScene(system(), { content: withScript() })
    for (const code of ['damaged-pdf', 'secret-unreadable'] as const) {
      const judging = judgeUploads(withPdf(system(), { verify: refused(code) }))
      await expect(judging).rejects.toThrow('cannot be judged')
      expect(await judgementOf(system(), document)).toBeUndefined()
      system().wait(minutes(5))
    }
    expect(await judgeUploads(withPdf(system(), { verify: refused('pdf-too-complex') }))).toBe(1)
    expect(await judgementOf(system(), document)).toMatchObject({
      verdict: 'INDETERMINATE',
      headline: { code: 'too-complex-to-verify', parameters: {} },
    })
  })

  test('judging: a document that is cancelled before its judgement costs no worker', async () => {
    const { person, document } = await aScene(system(), { content: withScript() })
    const { inspect, verify } = system().pdf
    let looks = 0
    const counting = withPdf(system(), {
      inspect: (...asked) => {
        looks += 1
        return inspect(...asked)
      },
      verify: (...asked) => {
        looks += 1
        return verify(...asked)
      },
    })
    await cancelDocument(system(), person, { documentId: document.id, reason: A_MISTAKE })
    expect(await judgeUploads(counting)).toBe(0)
    // Its page does not let it wait again.
    const page = await readDocument(counting, person, { documentId: document.id })
    expect(page.judgement).toBeUndefined()
    expect(await judgeUploads(counting)).toBe(0)
    expect(looks).toBe(0)
  })

  test('judging: a document that is cancelled while the one before it is judged costs no worker', async () => {
    const { person, document } = await aScene(system(), { content: withScript() })
    system().wait(seconds(1))
    const { id: newest } = await aDraft(system(), person, withScript(), 'Acta')
    const { inspect } = system().pdf
    const judged = await judgeUploads(
      withPdf(system(), {
        inspect: async (...asked) => {
          await cancelDocument(system(), person, { documentId: document.id, reason: A_MISTAKE })
          return await inspect(...asked)
        },
      }),
    )
    expect(judged).toBe(1)
    expect(await judgementOf(system(), { id: newest })).toBeDefined()
    expect(await judgementOf(system(), document)).toBeUndefined()
  })

  test('judgement: stays with a document that is cancelled after it', async () => {
    const { person, document } = await aScene(system(), { content: withScript() })
    expect(await judgeUploads(system())).toBe(1)
    await cancelDocument(system(), person, { documentId: document.id, reason: A_MISTAKE })
    const page = await readDocument(system(), person, { documentId: document.id })
    expect(page.judgement).toMatchObject({ verdict: 'NO_SIGNATURE' })
  })

  test('judging: a refused inspection that says nothing about the file is no finding', async () => {
    const { document } = await aScene(system(), { content: withScript() })
    const judging = judgeUploads(withPdf(system(), { inspect: refused('secret-unreadable') }))
    await expect(judging).rejects.toThrow('cannot be judged')
    expect(await judgementOf(system(), document)).toBeUndefined()
  })

  test('page: a judgement that was made since the page looked for it is kept', async () => {
    const { document } = await aScene(system(), { content: withScript() })
    const { db } = system()
    const transaction: typeof db.transaction = async (work) => {
      await judgeUploads(system())
      return await db.transaction(work)
    }
    const late = { ...system(), db: { ...db, transaction } }
    expect((await findOrAwaitJudgements(late, document.officeId, [document.id])).size).toBe(0)
    expect(await judgementOf(system(), document)).toBeDefined()
    expect(await judgeUploads(system())).toBe(0)
  })

  test('page: does not shorten the wait of a file that could not be read', async () => {
    const { document } = await aScene(system(), { content: withScript() })
    await expect(judgeUploads(withoutFiles(system()))).rejects.toThrow('cannot be judged')
    await findOrAwaitJudgements(system(), document.officeId, [document.id])
    expect(await judgeUploads(system())).toBe(0)
  })

  test('page: a judgement under other authorities waits to be made again', async () => {
    const { document } = await aScene(system(), { content: withScript() })
    expect(await judgeUploads(system())).toBe(1)
    await setRows(system(), { trust_fingerprint: 'of other authorities' })
    expect((await findOrAwaitJudgements(system(), document.officeId, [document.id])).size).toBe(0)
    expect(await judgeUploads(system())).toBe(1)
    expect((await findOrAwaitJudgements(system(), document.officeId, [document.id])).size).toBe(1)
  })
})
