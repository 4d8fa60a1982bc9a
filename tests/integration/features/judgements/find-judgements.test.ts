import { expect, test } from 'vitest'
import { insertAcknowledgement } from '#server/db/documents/acknowledgements.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { replaceUploadJudgement } from '#server/db/documents/upload-judgements.ts'
import { headline } from '#server/domain/verification/codes/headline-codes.ts'
import {
  judgementDigest,
  type UploadFinding,
  type UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import {
  findJudgements,
  findOutstanding,
  mustBeAcknowledged,
} from '#server/steps/judgements/find-judgements.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

type Judged = Pick<UploadJudgement, 'verdict'> & {
  findings?: UploadFinding[]
  trust?: string | null
}

const PLAIN: Judged = { verdict: 'NO_SIGNATURE', trust: null }
const GREEN: Judged = { verdict: 'VALID' }
const RED: Judged = { verdict: 'INVALID' }
/** Of `noTrust`, the authorities of these test systems. */
const TODAY = 'no anchors'

let folios = 1

onEachSystem('judgements of uploads', (current) => {
  async function people() {
    const office = await storedOffice(current().db)
    const [author, other] = [
      await storedUser(current().db, office),
      await storedUser(current().db, office),
    ]
    const judged = async ({ verdict, findings = [], trust = TODAY }: Judged) => {
      const folio = `2026-${String(folios++).padStart(6, '0')}`
      const document = aDocument(author, { folio })
      const version = aVersion(document)
      const judgement: UploadJudgement = {
        ...{ documentId: document.id, version: 1, sha256: version.sha256, verdict, findings },
        ...{ headline: headline('signed-and-intact'), at: current().clock.now() },
      }
      await current().db.transaction(async (trx) => {
        await insertDocument(trx, document)
        await insertVersion(trx, version)
        await replaceUploadJudgement(trx, { ...judgement, trustFingerprint: trust })
      })
      return judgement
    }
    const asSigner = ({ id }: typeof author) => ({ userId: id, signerId: null })
    const acknowledge = async (
      judgement: UploadJudgement,
      { id: userId }: typeof author,
      statements: ('judgement-seen' | 'read-elsewhere')[],
    ) => {
      const { documentId, verdict, findings, at } = judgement
      await current().db.transaction((trx) =>
        insertAcknowledgement(trx, {
          ...{ documentId, userId, signerId: null, verdict, findings, at, statements },
          ...{ judgement: judgementDigest(judgement), sentence: 'Lo que se mostró' },
        }),
      )
    }
    return { author, other, judged, asSigner, acknowledge }
  }

  /** A system that has lost all files: nothing can be judged again. */
  const withoutFiles = () => ({
    ...current(),
    blobs: { ...current().blobs, withFile: () => Promise.reject(new Error('judged again')) },
  })

  test("a judgement that depends on authorities holds for today's alone, another for ever", async () => {
    const { author, judged } = await people()
    const all = [await judged(PLAIN), await judged(RED), await judged({ ...GREEN, trust: 'old' })]
    const ids = all.map(({ documentId }) => documentId)
    const found = await findJudgements(current(), author.officeId, ids)
    expect(ids.map((id) => found.get(id)?.verdict)).toEqual(['NO_SIGNATURE', 'INVALID', undefined])
  })

  test('signing: a green or plain file needs no statement, and is not judged again', async () => {
    const { author, judged, asSigner } = await people()
    for (const how of [PLAIN, GREEN]) {
      const { documentId } = await judged(how)
      const document = { id: documentId, officeId: author.officeId }
      expect(await mustBeAcknowledged(withoutFiles(), document, asSigner(author))).toEqual({})
    }
  })

  test('signing: any other file needs the statements of this signer about this judgement', async () => {
    const { author, other, judged, asSigner, acknowledge } = await people()
    const judgement = await judged({ ...RED, findings: ['not-drawable'] })
    const document = { id: judgement.documentId, officeId: author.officeId }
    const sign = () => mustBeAcknowledged(withoutFiles(), document, asSigner(author))
    const refused = 'acknowledgement-needed'
    expect(await outcomeOf(sign())).toBe(refused)
    await acknowledge(judgement, other, ['judgement-seen', 'read-elsewhere'])
    expect(await outcomeOf(sign())).toBe(refused)
    await acknowledge({ ...judgement, verdict: 'INDETERMINATE' }, author, [
      ...(['judgement-seen', 'read-elsewhere'] as const),
    ])
    expect(await outcomeOf(sign())).toBe(refused)
    await acknowledge(judgement, author, ['judgement-seen', 'read-elsewhere'])
    expect(await sign()).toEqual({ verdict: 'INVALID', acknowledged: judgementDigest(judgement) })
  })

  test('signing: an actor without an account or a link has acknowledged nothing', async () => {
    const { author, judged } = await people()
    const { documentId: id } = await judged(RED)
    const document = { id, officeId: author.officeId }
    const nobody = { userId: null, signerId: null }
    expect(await outcomeOf(mustBeAcknowledged(withoutFiles(), document, nobody))).toBe(
      'acknowledgement-needed',
    )
  })

  test('page: shows what is left to state, file by file', async () => {
    const { author, other, judged, asSigner, acknowledge } = await people()
    const [plain, red, stated] = [await judged(PLAIN), await judged(RED), await judged(RED)]
    const old = await judged({ ...RED, trust: 'old' })
    await acknowledge(stated, author, ['judgement-seen'])
    const ids = [plain, red, stated, old].map(({ documentId }) => documentId)
    const leftFor = async (who: { userId: typeof author.id | null; signerId: null }) => {
      const found = await findOutstanding(current(), author.officeId, ids, who)
      return ids.map((id) => [found.get(id)?.judgement?.verdict, found.get(id)?.statements])
    }
    const toState = ['INVALID', ['judgement-seen']]
    expect(await leftFor(asSigner(author))).toEqual([
      ...[['NO_SIGNATURE', []], toState, ['INVALID', []], [undefined, []]],
    ])
    const nothingStated = [['NO_SIGNATURE', []], toState, toState, [undefined, []]]
    expect(await leftFor(asSigner(other))).toEqual(nothingStated)
    expect(await leftFor({ userId: null, signerId: null })).toEqual(nothingStated)
  })
})
