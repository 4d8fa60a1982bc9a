import { expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { minutes } from '#server/domain/time.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import type { System } from '#server/system.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aFurtherSession } from '#tests/support/office/ceremonies.ts'
import {
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
  signBytes,
} from '#tests/support/office/signing-system.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

async function prepared(system: System, { person, document, efirma }: Scene) {
  const { id: documentId, version } = document
  const input = { documentId, version, certificate: efirma.cer }
  const outcome = await prepareSignature(system, person, input)
  if (outcome.kind !== 'prepared') throw new Error(outcome.sentence)
  const signature = await signBytes(efirma, outcome.toBeSigned)
  return { preparedId: outcome.id, signature }
}

async function standing(system: TestSystem, { document }: Scene) {
  const { db } = system
  const now = await findDocument(db, document.id)
  return {
    state: now?.state,
    version: now?.version,
    versions: (await listVersions(db, document.id)).length,
    signatures: (await listReportedSignatures(db, document.id)).length,
    events: (await system.log()).map(({ action }) => action),
  }
}

const UNTOUCHED = {
  state: 'draft',
  version: 1,
  versions: 1,
  signatures: 0,
  events: ['document.uploaded', 'signature.prepared'],
}
const SIGNED = {
  state: 'signed',
  version: 2,
  versions: 2,
  signatures: 1,
  events: ['document.uploaded', 'signature.prepared', 'document.signed'],
}

onEachSigningSystem('completing a signature', (system) => {
  test('a double click signs once and gives the same answer', async () => {
    const scene = await aScene(system())
    const input = await prepared(system(), scene)
    const answers = await Promise.all([
      completeSignature(system(), scene.person, input),
      completeSignature(system(), scene.person, input),
    ])
    answers.push(await completeSignature(system(), scene.person, input))
    const answer = { documentId: scene.document.id, version: 2 }
    expect(answers).toEqual([answer, answer, answer])
    expect(await standing(system(), scene)).toEqual(SIGNED)
  })

  test('a wrong signature is refused, and the right one is still taken', async () => {
    const scene = await aScene(system())
    const input = await prepared(system(), scene)
    const flipped = input.signature.slice()
    flipped[10]! ^= 1
    for (const signature of [flipped, new Uint8Array(), new Uint8Array(256)])
      await expect(
        completeSignature(system(), scene.person, { ...input, signature }),
      ).rejects.toMatchObject({ code: 'signature-refused' })
    const refusal = (await system().log()).at(-1)
    expect(refusal).toMatchObject({
      action: 'signature.refused',
      result: 'refused',
      details: { code: 'signature-refused', method: 'browser' },
    })
    await completeSignature(system(), scene.person, input)
    expect(await standing(system(), scene)).toMatchObject({ state: 'signed', version: 2 })
  })

  test('a lease that ran out is refused', async () => {
    const scene = await aScene(system())
    const input = await prepared(system(), scene)
    system().wait(minutes(2))
    await expect(completeSignature(system(), scene.person, input)).rejects.toMatchObject({
      code: 'preparation-expired',
    })
    expect(await standing(system(), scene)).toEqual(UNTOUCHED)
  })

  test('completion: refused for a colleague of the user who prepared it', async () => {
    const scene = await aScene(system())
    const input = await prepared(system(), scene)
    const colleague = asPerson(await storedUser(system().db, scene.office, ['NOTARY']))
    await expect(completeSignature(system(), colleague, input)).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await standing(system(), scene)).toEqual(UNTOUCHED)
  })

  test('completion: refused for a superseded preparation', async () => {
    const scene = await aScene(system())
    const first = await prepared(system(), scene)
    system().wait(minutes(1))
    const second = await prepared(system(), scene)
    await expect(completeSignature(system(), scene.person, first)).rejects.toMatchObject({
      code: 'preparation-superseded',
    })
    await completeSignature(system(), scene.person, second)
    await expect(completeSignature(system(), scene.person, first)).rejects.toMatchObject({
      code: 'already-signed',
    })
    expect(await standing(system(), scene)).toMatchObject({ version: 2, signatures: 1 })
  })

  test('two people sign one after the other, and no signature is worse for it', async () => {
    const scene = await aScene(system())
    await signAs(system(), scene.person, scene.efirma, scene.document)
    const rfc = 'CACX7605101P8'
    const other = asPerson(
      await storedUser(system().db, scene.office, ['NOTARY'], { rfc, capacity: 'suplente' }),
    )
    const efirma = await testEfirma({ rfc, name: 'XIMENA CAÑEDO ÍÑIGUEZ' })
    await expect(
      signAs(system(), other, efirma, { id: scene.document.id, version: 1 }),
    ).rejects.toMatchObject({ code: 'document-final' })
    const at = { id: scene.document.id, version: 2 }
    await expect(signAs(system(), other, efirma, at)).rejects.toMatchObject({
      code: 'document-final',
    })
    const asked = { kind: 'user', userId: other.userId, character: null, step: 1 } as const
    await aFurtherSession(system(), scene.person, at, [asked])
    expect(await signAs(system(), other, efirma, at)).toMatchObject({ version: 3 })
    const [, second] = await listReportedSignatures(system().db, scene.document.id)
    expect(second?.report.verdict).toBe('VALID')
    expect(second?.report.signatures).toMatchObject([
      { intact: true, valid: true, trusted: true, coverage: 'ENTIRE_REVISION' },
      { intact: true, valid: true, trusted: true, coverage: 'ENTIRE_FILE', modification: 'NONE' },
    ])
    expect(second?.report.pages).toBe(2)
  })

  const fail = () => Promise.reject(new Error('the machine stops here'))
  const stops: [string, (whole: System) => System][] = [
    [
      'before the file is written',
      (whole) => ({ ...whole, blobs: { ...whole.blobs, append: fail } }),
    ],
    ['while our verifier looks', (whole) => ({ ...whole, pdf: { ...whole.pdf, verify: fail } })],
    ['before the file is durable', (whole) => stagedWith(whole, () => ({ place: fail }))],
    [
      'before the transaction',
      (whole) => ({
        ...whole,
        db: { ...whole.db, selectFrom: whole.db.selectFrom, transaction: fail },
      }),
    ],
    [
      'at the end of the transaction',
      (whole) => ({
        ...whole,
        db: {
          ...whole.db,
          transaction: (work) =>
            whole.db.transaction(async (trx) => {
              await work(trx)
              throw new Error('the machine stops here')
            }),
        },
      }),
    ],
  ]
  test.each(stops)('stopped %s, the document is as it was and can be signed', async (_, stop) => {
    const scene = await aScene(system())
    const input = await prepared(system(), scene)
    await expect(completeSignature(stop(system()), scene.person, input)).rejects.toThrow(
      'stops here',
    )
    expect(await standing(system(), scene)).toEqual(UNTOUCHED)
    await completeSignature(system(), scene.person, input)
    expect(await standing(system(), scene)).toEqual(SIGNED)
  })

  test('stopped behind the transaction, the document is signed and asking again says so', async () => {
    const scene = await aScene(system())
    const input = await prepared(system(), scene)
    const lost = stagedWith(system(), () => ({ discard: fail }))
    await expect(completeSignature(lost, scene.person, input)).rejects.toThrow('stops here')
    expect(await standing(system(), scene)).toEqual(SIGNED)
    expect(await completeSignature(system(), scene.person, input)).toMatchObject({ version: 2 })
  })

  test('a file that our own verifier does not pass is never stored', async () => {
    const scene = await aScene(system())
    const input = await prepared(system(), scene)
    const { pdf, blobs } = system()
    const left = new Set<string>()
    const strict: System = {
      ...system(),
      blobs: {
        ...blobs,
        async append(...asked) {
          const appended = await blobs.append(...asked)
          left.add(appended.file.path)
          return { ...appended, discard: async () => void left.delete(appended.file.path) }
        },
      },
      pdf: {
        ...pdf,
        async verify(...asked) {
          const report = await pdf.verify(...asked)
          const signatures = report.signatures.map((one) => ({ ...one, intact: false }))
          return { ...report, signatures }
        },
      },
    }
    await expect(completeSignature(strict, scene.person, input)).rejects.toThrow('does not pass')
    expect(await standing(system(), scene)).toEqual(UNTOUCHED)
    expect(left).toEqual(new Set())
  })
})

function stagedWith(whole: System, changes: () => object): System {
  const append: System['blobs']['append'] = async (...asked) => {
    const appended = await whole.blobs.append(...asked)
    return { ...appended, named: (sha256) => ({ ...appended.named(sha256), ...changes() }) }
  }
  return { ...whole, blobs: { ...whole.blobs, append } }
}
