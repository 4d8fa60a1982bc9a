import { expect, test } from 'vitest'
import { listAcknowledgements } from '#server/db/documents/acknowledgements.ts'
import { findUploadJudgements } from '#server/db/documents/upload-judgements.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { minutes } from '#server/domain/time.ts'
import {
  judgementDigest,
  type Statement,
  type UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { judgeUploads } from '#server/features/documents/judge-uploads.ts'
import { acknowledgeJudgement } from '#server/features/signatures/acknowledge-judgement.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { signManyOnServer } from '#server/features/signatures/sign-many-on-server.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import { sentenceOfJudgement } from '#server/words/verification/judgements.ts'
import { SHADOW } from '#tests/attacks/shadow.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  anOpenSession,
  aParty,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { aGuest, external } from '#tests/support/office/guests.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

/** A signed file whose later revision shows something else. */
const shadowed = async () => (await SHADOW[0]!.attacks[0]!.make()) as Uint8Array

const withScript = () =>
  pdfWithTable(bodiesWithPages(1, '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>'))

async function judged(system: TestSystem, { id }: { id: DocumentId }): Promise<UploadJudgement> {
  await judgeUploads(system)
  const judgement = (await findUploadJudgements(system.db, [id])).get(id)
  if (!judgement) throw new Error(`${id} was not judged`)
  return judgement
}

async function acknowledge(
  system: TestSystem,
  actor: Actor,
  judgement: UploadJudgement,
  statements: Statement[] = ['judgement-seen'],
) {
  const { documentId } = judgement
  const input = { documentId, judgement: judgementDigest(judgement), statements }
  await acknowledgeJudgement(system, actor, input)
}

/** The same system, whose pictures always fail. */
const withoutPictures = (system: TestSystem): TestSystem => ({
  ...system,
  pdf: {
    ...system.pdf,
    picture: () => Promise.reject(new Problem('pdf-too-complex', 'too much memory')),
  },
})

const actionsIn = async (system: TestSystem) => (await system.log()).map(({ action }) => action)

const keyOf = ({ efirma }: Pick<Scene, 'efirma'>) => ({
  certificate: efirma.cer.slice(),
  privateKey: efirma.key.slice(),
  password: TEST_PASSWORD,
  consent: true,
})

const REFUSED = { code: 'acknowledgement-needed' }

onEachSigningSystem('judged before signed', (system) => {
  test('signing: refused over a shadow-attacked file until the notary acknowledges the verdict', async () => {
    const scene = await aScene(system(), { content: await shadowed() })
    const { person, efirma, document } = scene
    await expect(signAs(system(), person, efirma, document)).rejects.toMatchObject(REFUSED)

    const judgement = await judged(system(), document)
    expect(judgement).toMatchObject({ verdict: 'INVALID', version: 1 })
    await acknowledge(system(), person, judgement)
    const [kept] = await listAcknowledgements(system().db, [document.id], person.userId)
    expect(kept?.sentence).toBe(sentenceOfJudgement(judgement))
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'document.acknowledged',
      actor: { kind: 'person', userId: person.userId },
      subject: { kind: 'document', id: document.id },
      details: {
        version: 1,
        sha256: judgement.sha256,
        verdict: 'INVALID',
        statements: 'judgement-seen',
        judgement: judgementDigest(judgement),
      },
    })
    const input = { documentId: document.id, version: 1, certificate: efirma.cer }
    expect(await prepareSignature(system(), person, input)).toMatchObject({ kind: 'prepared' })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'signature.prepared',
      details: { verdict: 'INVALID', acknowledged: judgementDigest(judgement) },
    })
  })

  test('signing: a file that arrives with a good signature needs no acknowledgement', async () => {
    const first = await testEfirma()
    const scene = await aScene(system(), { content: await handSigned({ seal: sealOf(first) }) })
    expect(await judged(system(), scene.document)).toMatchObject({ verdict: 'VALID', findings: [] })
    const { person, efirma, document } = scene
    expect(await signAs(system(), person, efirma, document)).toMatchObject({ version: 2 })
  })

  test('judging: a plain upload is judged at once, the others by the job', async () => {
    const scene = await aScene(system())
    const { db } = system()
    expect(
      (await findUploadJudgements(db, [scene.document.id])).get(scene.document.id),
    ).toMatchObject({ verdict: 'NO_SIGNATURE', findings: [] })
    const active = await aDraft(system(), scene.person, withScript(), 'Con programa')
    expect((await findUploadJudgements(db, [active.id])).size).toBe(0)
    expect(await judged(system(), active)).toMatchObject({
      verdict: 'NO_SIGNATURE',
      findings: ['javascript', 'automatic-action'],
    })
    expect(await judgeUploads(system())).toBe(0)
  })

  test('judging: twenty signed uploads at once are stored, then judged in one run', async () => {
    const scene = await aScene(system())
    const content = await handSigned({ seal: sealOf(scene.efirma) })
    const titles = Array.from({ length: 20 }, (_, index) => `Firmado ${index}`)
    const documents = await Promise.all(
      titles.map((title) => aDraft(system(), scene.person, content, title)),
    )
    const ids = documents.map(({ id }) => id)
    expect(await judgeUploads(system())).toBe(20)
    const judgements = await findUploadJudgements(system().db, ids)
    expect([...judgements.values()].map(({ verdict }) => verdict)).toEqual(Array(20).fill('VALID'))
  })

  test('judging: an earlier edition is not believed, and an acknowledgement of it does not count', async () => {
    const { person, efirma, document } = await aScene(system(), { content: await shadowed() })
    const judgement = await judged(system(), document)
    await system().db.transaction(async (trx) => {
      await trx
        .updateTable('upload_judgements')
        .set({ edition: 0, verdict: 'VALID' })
        .where('document_id', '=', document.id)
        .execute()
    })
    const old = { ...judgement, verdict: 'VALID' as const }
    await expect(acknowledge(system(), person, old)).rejects.toMatchObject({
      code: 'stale-version',
    })
    await expect(signAs(system(), person, efirma, document)).rejects.toMatchObject(REFUSED)
    expect(await judged(system(), document)).toMatchObject({ verdict: 'INVALID' })
  })

  test('judging: a document without a judgement is judged when it is signed', async () => {
    const { person, efirma, document } = await aScene(system(), { content: await shadowed() })
    await system().db.transaction(async (trx) => {
      await trx.deleteFrom('upload_judgements').execute()
    })
    await expect(signAs(system(), person, efirma, document)).rejects.toMatchObject(REFUSED)
  })

  test('acknowledging: refused for a judgement of another document or without its statement', async () => {
    const { person, document } = await aScene(system(), { content: await shadowed() })
    const other = await aDraft(system(), person, withScript(), 'Con programa')
    const [first, second] = [await judged(system(), document), await judged(system(), other)]
    const crossed = { documentId: document.id, judgement: judgementDigest(second) }
    await expect(
      acknowledgeJudgement(system(), person, { ...crossed, statements: ['judgement-seen'] }),
    ).rejects.toMatchObject({ code: 'stale-version' })
    await expect(acknowledge(system(), person, first, [])).rejects.toMatchObject(REFUSED)
    expect(await actionsIn(system())).not.toContain('document.acknowledged')
  })

  test('acknowledging: a double submit makes one event', async () => {
    const { person, document } = await aScene(system(), { content: await shadowed() })
    const judgement = await judged(system(), document)
    await Promise.all([
      acknowledge(system(), person, judgement),
      acknowledge(system(), person, judgement),
    ])
    system().wait(minutes(1))
    await acknowledge(system(), person, judgement)
    const made = (await actionsIn(system())).filter((one) => one === 'document.acknowledged')
    expect(made).toHaveLength(1)
  })

  test('session: each signer acknowledges for themselves', async () => {
    const scene = await aScene(system(), { content: withScript() })
    const { person, document } = scene
    const parties = [
      await aParty(system(), scene, 'ROSA950606KF6', 1),
      await aParty(system(), scene, 'IBAC870818JG7', 2),
    ]
    await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map(({ asked }) => asked),
      ),
    )
    const judgement = await judged(system(), document)
    const [first, second] = parties as [(typeof parties)[0], (typeof parties)[0]]
    await acknowledge(system(), first.person, judgement)
    const { version } = await signInSession(system(), first, document, 2)
    await expect(signInSession(system(), second, document, version)).rejects.toMatchObject(REFUSED)
    await acknowledge(system(), second.person, judgement)
    expect(await signInSession(system(), second, document, version)).toMatchObject({ version: 4 })
  })

  test('guest: refused until they acknowledge, also without scripts', async () => {
    const scene = await aScene(system(), {
      content: withScript(),
      office: { serverSigning: 'allowed' },
    })
    const { person, document } = scene
    const { id: sessionId } = await anOpenSession(
      system(),
      person,
      sessionOf([document], [external()]),
    )
    const { ceremony } = await readSigningSession(system(), person, { signingSessionId: sessionId })
    const signerIds = ceremony.signers.map(({ id }) => id)
    const { guest } = await aGuest(system(), { ...scene, sessionId, signerIds })
    const efirma = await testEfirma({ rfc: 'NUPB801201QX7', name: 'BENITO NÚÑEZ PEÑA' })
    const judgement = await judged(system(), document)
    const asked = { documentId: document.id, version: 2 }
    await expect(
      signOnServer(system(), guest, { ...asked, ...keyOf({ efirma }) }),
    ).rejects.toMatchObject(REFUSED)
    await acknowledge(system(), guest, judgement)
    expect(await signOnServer(system(), guest, { ...asked, ...keyOf({ efirma }) })).toMatchObject({
      kind: 'signed',
    })
  })

  test('batch: names the document that was not acknowledged and signs the others', async () => {
    const scene = await aScene(system(), {
      content: withScript(),
      office: { serverSigning: 'allowed' },
    })
    const plain = await aDraft(system(), scene.person, undefined, 'Otro poder')
    await judged(system(), scene.document)
    const documents = [scene.document, plain].map(({ id: documentId, version }) => ({
      documentId,
      version,
    }))
    expect(
      await signManyOnServer(system(), scene.person, { documents, ...keyOf(scene) }),
    ).toMatchObject({
      kind: 'tried',
      results: [{ code: 'acknowledgement-needed' }, { code: 'signed' }],
    })
  })

  test('signing: a document that cannot be drawn needs a statement that it was read elsewhere', async () => {
    const blind = withoutPictures(system())
    const { person, efirma, document } = await aScene(blind)
    const judgement = await judged(blind, document)
    expect(judgement.findings).toEqual(['not-drawable'])
    await expect(signAs(blind, person, efirma, document)).rejects.toMatchObject(REFUSED)
    await expect(acknowledge(blind, person, judgement)).rejects.toMatchObject(REFUSED)
    await acknowledge(blind, person, judgement, ['read-elsewhere'])
    expect(await signAs(blind, person, efirma, document)).toMatchObject({ version: 2 })
  })

  test('drawing: a later page that cannot be drawn becomes a finding, and stays one', async () => {
    const { person, efirma, document } = await aScene(system())
    const asked = { documentId: document.id, version: 1, page: 1 }
    await expect(drawPage(withoutPictures(system()), person, asked)).rejects.toMatchObject({
      code: 'pdf-too-complex',
    })
    await expect(signAs(system(), person, efirma, document)).rejects.toMatchObject(REFUSED)
    await system().db.transaction(async (trx) => {
      await trx.updateTable('upload_judgements').set({ edition: 0 }).execute()
    })
    expect((await judged(system(), document)).findings).toEqual(['not-drawable'])
  })

  test('drawing: a page that is late once is drawn again and becomes no finding', async () => {
    const { person, document } = await aScene(system())
    let times = 0
    const late: TestSystem = {
      ...system(),
      pdf: {
        ...system().pdf,
        picture: (...asked) => {
          times += 1
          const over = new Problem('pdf-too-complex', 'too late', { kind: 'timed-out' })
          return times === 1 ? Promise.reject(over) : system().pdf.picture(...asked)
        },
      },
    }
    await drawPage(late, person, { documentId: document.id, version: 1, page: 1 })
    expect((await findUploadJudgements(late.db, [document.id])).get(document.id)?.findings).toEqual(
      [],
    )
  })

  test('upload: a dynamic XFA form is refused', async () => {
    const content = pdfWithTable({
      ...bodiesWithPages(1, '/NeedsRendering true/AcroForm<</Fields[]/XFA 50 0 R>>'),
      50: streamBody('<xdp/>'),
    })
    await expect(aScene(system(), { content })).rejects.toMatchObject({ code: 'dynamic-xfa' })
  })
})
