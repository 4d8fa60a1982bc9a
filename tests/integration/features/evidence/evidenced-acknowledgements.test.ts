import { expect, test } from 'vitest'
import { findUploadJudgements } from '#server/db/documents/upload-judgements.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { judgementDigest } from '#server/domain/verification/upload-judgement.ts'
import { listConsents } from '#server/features/care/list-consents.ts'
import { judgeUploads } from '#server/features/documents/judge-uploads.ts'
import { readEvidence } from '#server/features/evidence/read-evidence.ts'
import { acknowledgeJudgement } from '#server/features/signatures/acknowledge-judgement.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { aGuest, external } from '#tests/support/office/guests.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const withScript = () =>
  pdfWithTable(bodiesWithPages(1, '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>'))

const TEXT =
  '“Vi lo que se encontró en este archivo y quiero firmarlo así”. Se mostró: Llegó sin firmas. El documento no tiene firmas electrónicas. Se encontró: JavaScript, Acción al abrir o al usar el documento.'

async function acknowledge(system: TestSystem, actor: Actor, documentId: DocumentId) {
  await judgeUploads(system)
  const judgement = (await findUploadJudgements(system.db, [documentId])).get(documentId)
  if (!judgement) throw new Error(`${documentId} was not judged`)
  const statements = ['judgement-seen' as const]
  const input = { documentId, judgement: judgementDigest(judgement), statements }
  await acknowledgeJudgement(system, actor, input)
}

onEachSigningSystem('acknowledgements in the evidence of a document', (system) => {
  test('name the notary, the time, what was stated and what was shown', async () => {
    const { person, efirma, document } = await aScene(system(), { content: withScript() })
    await acknowledge(system(), person, document.id)
    await signAs(system(), person, efirma, document)
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect(facts.acknowledgements).toEqual([
      { name: 'Ana María Muñoz López', at: system().clock.now(), text: TEXT },
    ])
  })

  test('name an external signer', async () => {
    const scene = await aScene(system(), {
      content: withScript(),
      office: { serverSigning: 'allowed' },
    })
    const { person, document } = scene
    const opened = await anOpenSession(system(), person, sessionOf([document], [external()]))
    const session = { signingSessionId: opened.id }
    const { ceremony } = await readSigningSession(system(), person, session)
    const signerIds = ceremony.signers.map(({ id }) => id)
    const { guest } = await aGuest(system(), { ...scene, sessionId: opened.id, signerIds })
    await acknowledge(system(), guest, document.id)
    const efirma = await testEfirma({ rfc: 'NUPB801201QX7', name: 'BENITO NÚÑEZ PEÑA' })
    await signOnServer(system(), guest, {
      documentId: document.id,
      version: 2,
      certificate: efirma.cer.slice(),
      privateKey: efirma.key.slice(),
      password: TEST_PASSWORD,
      consent: true,
    })
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect(facts.acknowledgements).toMatchObject([{ name: 'Benito Núñez Peña', text: TEXT }])
  })

  test('are listed among the consents, once each, with the person and the document', async () => {
    const { office, person, document } = await aScene(system(), { content: withScript() })
    await acknowledge(system(), person, document.id)
    await acknowledge(system(), person, document.id)
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    const { consents } = await listConsents(system(), admin, { kind: 'judgement-seen' })
    expect(consents).toMatchObject([
      {
        ...{ name: 'Ana María Muñoz López', rfc: person.rfc, userId: person.userId },
        ...{ folio: document.folio, notice: null, at: system().clock.now() },
      },
    ])
  })

  test('are none for a file that is green', async () => {
    const { person, efirma, document } = await aScene(system())
    await signAs(system(), person, efirma, document)
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect(facts.acknowledgements).toEqual([])
  })
})
