import { expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days, seconds } from '#server/domain/time.ts'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { buildEvidencePackage } from '#server/features/evidence/build-evidence-package.ts'
import { readEvidence } from '#server/features/evidence/read-evidence.ts'
import { readBatch } from '#server/features/signatures/read-batch.ts'
import { readSigning } from '#server/features/signatures/read-signing.ts'
import {
  beginFurtherSession,
  readFurtherSigning,
} from '#server/features/signing-sessions/begin-further-session.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { addSessionDocuments } from '#server/features/signing-sessions/edit-session-documents.ts'
import { addSessionSigner } from '#server/features/signing-sessions/edit-session-signers.ts'
import { extendSigningSession } from '#server/features/signing-sessions/extend-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { findByDigest } from '#server/features/verification/find-by-digest.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { asPerson, storedUser, stranger } from '#tests/support/builders.ts'
import {
  aCeremony,
  aFurtherSession,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { aDraft, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

/** A complete document at version 2, and two clerks who may be asked. */
async function aComplete(system: TestSystem) {
  const scene = await aCeremony(system, [1, 2])
  await signAs(system, scene.person, scene.efirma, scene.document)
  return { ...scene, complete: { id: scene.document.id, version: 2 } }
}

/** A printed verdict without words: only the files beside it count here. */
const NO_TEXT: ReportText = {
  ...{ tone: 'good', word: '', sentence: '', meaning: [], isTest: true },
  ...{ warnings: [], facts: [], entries: [], qrCode: null, foot: '' },
}

onEachSigningSystem('further signing', (system) => {
  test('complete document: takes no direct signature, of anyone', async () => {
    const { person, efirma, complete, office } = await aComplete(system())
    await expect(signAs(system(), person, efirma, complete)).rejects.toMatchObject({
      code: 'document-final',
    })
    const stale = signAs(system(), person, efirma, { ...complete, version: 1 })
    await expect(stale).rejects.toMatchObject({ code: 'already-signed' })
    const view = await readSigning(system(), person, { documentId: complete.id })
    expect(view.isClosed).toBe(true)
    expect((await readBatch(system(), person, {})).documents).toEqual([])
    const other = asPerson(await storedUser(system().db, office, ['LAWYER'], { capacity: null }))
    await expect(signAs(system(), other, efirma, complete)).rejects.toMatchObject({
      code: 'document-final',
    })
    expect(await findDocument(system().db, complete.id)).toMatchObject({ version: 2 })
  })

  test('two signatures at once by the same person: the document has one', async () => {
    const { person, efirma, document } = await aCeremony(system(), [])
    const both = await Promise.allSettled([
      signAs(system(), person, efirma, document),
      signAs(system(), person, efirma, document),
    ])
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await findDocument(system().db, document.id)).toMatchObject({
      state: 'signed',
      version: 2,
    })
  })

  test('ordinary session: takes no complete document', async () => {
    const { person, complete, parties } = await aComplete(system())
    const asked = sessionOf(
      [complete],
      parties.map((party) => party.asked),
    )
    await expect(createSigningSession(system(), person, asked)).rejects.toMatchObject({
      code: 'document-final',
    })
    const draft = await aDraft(system(), person, undefined, 'Otro poder')
    const { id } = await createSigningSession(system(), person, sessionOf([draft], []))
    const adding = addSessionDocuments(system(), person, {
      signingSessionId: id,
      documentIds: [complete.id],
    })
    await expect(adding).rejects.toMatchObject({ code: 'document-final' })
  })

  test('session of a draft that was signed meanwhile: cannot be opened', async () => {
    const { person, efirma, document, parties } = await aCeremony(system(), [1])
    const input = sessionOf(
      [document],
      parties.map((party) => party.asked),
    )
    const { id } = await createSigningSession(system(), person, input)
    await signAs(system(), person, efirma, document)
    const opening = openSigningSession(system(), person, { signingSessionId: id })
    await expect(opening).rejects.toMatchObject({ code: 'document-final' })
  })

  test('begun twice: one session; an old page begins none', async () => {
    const { person, complete } = await aComplete(system())
    const begin = (version: number) =>
      beginFurtherSession(system(), person, { documentId: complete.id, version })
    const [first, second] = await Promise.all([begin(2), begin(2)])
    expect(second).toBe(first)
    expect(await begin(2)).toBe(first)
    await expect(begin(1)).rejects.toMatchObject({ code: 'stale-version' })
    const further = await readFurtherSigning(system(), person, { documentId: complete.id })
    expect(further).toMatchObject({ signedBy: ['ANA MARÍA MUÑOZ LÓPEZ'], constancia: null })
  })

  test('draft: has no further signing', async () => {
    const { person, document } = await aCeremony(system(), [])
    const begin = beginFurtherSession(system(), person, { documentId: document.id, version: 1 })
    await expect(begin).rejects.toMatchObject({ code: 'wrong-state' })
  })

  test('person who signed before: is asked again only on purpose', async () => {
    const { person, complete } = await aComplete(system())
    const signingSessionId = await beginFurtherSession(system(), person, {
      documentId: complete.id,
      version: 2,
    })
    const signer = { kind: 'user', userId: person.userId, character: null, step: 1 } as const
    const add = (again?: boolean) =>
      addSessionSigner(system(), person, { signingSessionId, signer, ...(again && { again }) })
    await expect(add()).rejects.toMatchObject({ code: 'signer-signed-before' })
    expect(await add(true)).toBe('added')
  })

  test('public page: answers with the complete version while signatures are added', async () => {
    const { person, complete, parties } = await aComplete(system())
    const before = await findVersion(system().db, complete.id, 2)
    const asked = parties.map((party) => party.asked)
    const shown = async () => {
      system().wait(seconds(6))
      return await readVerification(system(), stranger(), { id: complete.id })
    }
    expect(await shown()).toMatchObject({ kind: 'found', isFurtherSigning: false })
    const session = await aFurtherSession(system(), person, complete, asked)
    const meanwhile = { kind: 'found', isFurtherSigning: true, version: { sha256: before!.sha256 } }
    expect(await shown()).toMatchObject(meanwhile)
    await signInSession(system(), parties[0]!, complete, 2)
    const partial = await shown()
    expect(partial).toMatchObject({ ...meanwhile, log: { events: [expect.any(Number)] } })
    const later = await findVersion(system().db, complete.id, 3)
    const lookUp = (sha256: Sha256) => findByDigest(system(), stranger(), { sha256 })
    expect(await lookUp(later!.sha256)).toBeUndefined()
    expect(await lookUp(before!.sha256)).toMatchObject({ relation: 'current' })

    const reason = 'El comprador desistió' as ReturnType<typeof Reason.parse>
    await cancelSigningSession(system(), person, { signingSessionId: session.id, reason })
    expect(await shown()).toMatchObject({ kind: 'found', isFurtherSigning: false })
    expect(await lookUp(later!.sha256)).toMatchObject({ relation: 'current' })
    expect(await lookUp(before!.sha256)).toMatchObject({ relation: 'earlier' })
  })

  test('public page: a further signing that expired is not under way', async () => {
    const { person, complete, parties } = await aComplete(system())
    const asked = parties.map((party) => party.asked)
    const session = await aFurtherSession(system(), person, complete, asked)
    const deadline = after(system().clock.now(), days(2))
    await extendSigningSession(system(), person, { signingSessionId: session.id, deadline })
    const shown = () => readVerification(system(), stranger(), { id: complete.id })
    expect(await shown()).toMatchObject({ isFurtherSigning: true, isBeingSigned: true })
    system().wait(days(2))
    expect(await shown()).toMatchObject({ kind: 'found', version: { version: 2 } })
    expect(await shown()).toMatchObject({ isFurtherSigning: true, isBeingSigned: false })
  })

  test('evidence: is of the complete version while signatures are added', async () => {
    const { person, complete, parties } = await aComplete(system())
    const before = await findVersion(system().db, complete.id, 2)
    const asked = parties.map((party) => party.asked)
    await aFurtherSession(system(), person, complete, asked)
    await signInSession(system(), parties[0]!, complete, 2)
    const { document, facts } = await readEvidence(system(), person, { documentId: complete.id })
    expect(document).toMatchObject({ state: 'signing', version: 3 })
    expect(facts).toMatchObject({ finalSha256: before!.sha256, signatures: [{ field: 'Firma1' }] })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'document.downloaded',
      details: { version: 2, sha256: before!.sha256, file: 'evidence' },
    })
    const print = () => ({ text: NO_TEXT, json: '{}' })
    const pack = buildEvidencePackage(system(), person, { documentId: complete.id }, print)
    const zip = await new Response((await pack).stream()).bytes()
    const files = new Map((await readZip(zip)).map(({ name, bytes }) => [name, bytes]))
    expect(sha256(files.get('firmado.pdf')!)).toBe(before!.sha256)
    const events = Buffer.from(files.get('bitacora/eventos.jsonl')!).toString()
    const actions = events
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).action)
    expect(actions.filter((action) => action === 'document.signed')).toHaveLength(1)
    expect(actions.filter((action) => action === 'signature.prepared')).toHaveLength(1)

    await signInSession(system(), parties[1]!, complete, 3)
    const after = await readEvidence(system(), person, { documentId: complete.id })
    expect(after.facts.signatures).toHaveLength(3)
  })

  test('evidence: a document in its first session has none', async () => {
    const { person, document, parties } = await aCeremony(system(), [1, 2])
    const asked = parties.map((party) => party.asked)
    const { id } = await createSigningSession(system(), person, sessionOf([document], asked))
    await openSigningSession(system(), person, { signingSessionId: id })
    await signInSession(system(), parties[0]!, document, 2)
    const reading = readEvidence(system(), person, { documentId: document.id })
    await expect(reading).rejects.toMatchObject({ code: 'not-found' })
  })
})
