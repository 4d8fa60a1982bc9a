import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import {
  findUploadJudgements,
  lockLastFindings,
  waitsForJudgement,
} from '#server/db/documents/upload-judgements.ts'
import { beginJudgement } from '#server/steps/judgements/begin-judgement.ts'
import type { InspectedUpload } from '#server/steps/judgements/inspect-upload.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'

/** A file without signatures, whose pages show all that is in it. */
const PLAIN: InspectedUpload = {
  ...{ pages: 3, signatures: 0, mayBeSigned: true, isFinal: false },
  ...{ unseen: [], isDynamicForm: false, findings: [] },
}

onEachDatabase('judgement of a file that was just uploaded', (current) => {
  /** The judgement of a file with this inspection, if it has one, what was found in it, and whether it waits for the job. */
  async function begun(inspected: Partial<InspectedUpload>) {
    const { db } = current()
    const author = await storedUser(db, await storedOffice(db))
    const document = aDocument(author)
    const version = aVersion(document)
    return await db.transaction(async (trx) => {
      await insertDocument(trx, document)
      await insertVersion(trx, version)
      await beginJudgement(trx, version, { ...PLAIN, ...inspected })
      const { findings } = await lockLastFindings(trx, document.id)
      return {
        judgement: (await findUploadJudgements(trx, [document.id])).get(document.id),
        ...{ findings, waits: await waitsForJudgement(trx, document.id), version },
      }
    })
  }

  test('file without signatures and unseen content: has its judgement at once', async () => {
    const { judgement, waits, version } = await begun({ findings: ['not-drawable'] })
    const { documentId, sha256, at } = version
    expect(judgement).toEqual({
      ...{ documentId, version: 1, sha256, at, findings: ['not-drawable'] },
      ...{ verdict: 'NO_SIGNATURE', headline: null, trustFingerprint: null },
    })
    expect(waits).toBe(false)
  })

  test.each<[string, Partial<InspectedUpload>]>([
    ['a signature', { signatures: 1, findings: ['not-drawable'] }],
    ['unseen content', { unseen: ['layers'], findings: ['layers'] }],
  ])(
    'file with %s: waits for the job that judges, which knows what was found',
    async (_, given) => {
      const { judgement, waits, findings } = await begun(given)
      expect({ judgement, waits }).toEqual({ judgement: undefined, waits: true })
      expect(findings).toEqual(given.findings)
    },
  )
})
