import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { awaitArchive, findArchive } from '#server/db/documents/archives.ts'
import {
  deleteDocumentStamp,
  findDocumentStamp,
  keepDocumentStamp,
} from '#server/db/documents/document-stamps.ts'
import { findVersion, insertVersion, listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument, replaceDocument } from '#server/db/documents/documents.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { awaitedArchive } from '#server/domain/documents/archive.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray } from '#server/domain/pdf/object.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days, hours, minutes } from '#server/domain/time.ts'
import { isIssuedBy } from '#server/domain/trust/issued-by.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { archiveDocument } from '#server/features/archives/archive-document.ts'
import { archiveAll } from '#server/features/archives/archive-due.ts'
import { archiveWaiting } from '#server/features/archives/archive-waiting.ts'
import { renewArchives } from '#server/features/archives/renew-archives.ts'
import { readDocument as readDocumentPage } from '#server/features/documents/read-document.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { leaveSilentAuthorities } from '#server/steps/signing/leave-silent-authorities.ts'
import type { System } from '#server/system.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  type StampingAuthority,
  stampingAuthority,
} from '#tests/support/authorities/time-stamps.ts'
import { askingAt, withTimestamps } from '#tests/support/authorities/timestamp-providers.ts'
import {
  REPLY,
  stampingServer,
  timestampServer,
} from '#tests/support/authorities/timestamp-server.ts'
import { judge } from '#tests/support/judges.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { aFurtherSession, aParty, signInSession } from '#tests/support/office/ceremonies.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { bytesIn, onDisk, storedPath } from '#tests/support/stored-files.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const [pdfsig, qpdf] = [judge('pdfsig'), judge('qpdf')]

let authority: StampingAuthority
beforeAll(async () => {
  authority = await stampingAuthority()
})

/** The test authority answers `good` for all of its certificates; `isDown`: it does not answer. */
function answering(system: TestSystem, isDown = () => false): System['revocation'] {
  return {
    answersTo: (questions) => about(questions.map(({ certificate }) => certificate)),
    answersAbout: about,
  }

  async function about(certificates: readonly Uint8Array[]) {
    const { issuing } = await testAuthority()
    const own = certificates
      .map((der) => readCertificate(der))
      .filter((certificate) => isIssuedBy(certificate, issuing))
    const answers = isDown() ? [] : own.map((one) => answerAbout(one, system.clock.now()))
    const ocsp = (await Promise.all(answers)).map((der) => ({ der, source: 'fetched' as const }))
    return { ocsp, crls: [] }
  }
}

/** As if the office knew a responder for each of its authorities. */
const askable = ({ trust }: TestSystem): System['trust'] => ({
  ...trust,
  async policy(at, scope) {
    const policy = await trust.policy(at, scope)
    const ocsp = ['http://127.0.0.1:9/']
    return { ...policy, anchors: policy.anchors.map((anchor) => ({ ...anchor, ocsp })) }
  },
})

const whole = (system: TestSystem, isDown?: () => boolean): TestSystem => ({
  ...withTimestamps(system),
  trust: askable(system),
  revocation: answering(system, isDown),
})

const good = (system: TestSystem, by = authority) => stampingServer(by, system.clock.now)

async function bytesOf(system: System, id: DocumentId) {
  const { db } = system
  const document = await findDocument(db, id)
  const version = await findVersion(db, id, document?.version ?? 0)
  if (!version) throw new Error('no such version')
  return { bytes: new Uint8Array(await bytesIn(system, version)), version }
}

/** The verdict of our verifier on the file, from its own proofs only. */
async function judged(system: System, { document }: Scene) {
  const { bytes, version } = await bytesOf(system, document.id)
  const policy = await system.trust.policy(system.clock.now(), version.officeId)
  const report = verifyFile(memorySource(bytes), 'acta.pdf', policy)
  return {
    cause: version.cause,
    verdict: report.verdict,
    levels: report.signatures.filter(({ kind }) => kind === 'signature').map(({ level }) => level),
    stamps: report.signatures.filter(({ kind }) => kind === 'document-timestamp').length,
    changes: [...new Set(report.signatures.map(({ modification }) => modification))],
    pdfsig: await onDisk(bytes, (path) => pdfsig('-nocert', path).output),
    qpdf: await onDisk(bytes, (path) => qpdf('--check', path).status),
    bytes,
  }
}

async function aSigned(system: TestSystem, url: string): Promise<Scene> {
  const scene = await aScene(system)
  await askingAt(system, scene, [url])
  await signAs(system, scene.person, scene.efirma, scene.document)
  return scene
}

onEachSigningSystem('the archive proof', (current) => {
  test('sign: B-LTA is accepted by every judge', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    expect(await judged(system, scene)).toMatchObject({ levels: ['B-T'], cause: 'signed' })
    expect(await archiveDocument(system, scene.document.id)).toBe('kept')
    const found = await judged(system, scene)
    expect(found).toMatchObject({
      cause: 'archived',
      verdict: 'VALID',
      levels: ['B-LTA'],
      stamps: 1,
      qpdf: 0,
    })
    expect(found.changes).toEqual(['LTA_UPDATES', 'NONE'])
    expect(found.pdfsig).toContain('Signature #2')
    expect(found.pdfsig.match(/Signature is Valid/g)?.length).toBeGreaterThanOrEqual(1)
    expect(await findArchive(system.db, scene.document.id)).toMatchObject({
      state: 'kept',
      version: 3,
      holdsUntil: authority.certificate.notAfter,
      fault: null,
    })
    expect((await system.log()).at(-1)).toMatchObject({
      actor: { kind: 'system', name: 'archivo' },
      action: 'document.archived',
      details: { version: 3, proof: 'B-LTA' },
    })
  })

  test('sign: the complete document waits for its proof from the same transaction on', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const at = system.clock.now()
    expect(await findArchive(system.db, scene.document.id)).toEqual({
      ...{ documentId: scene.document.id, officeId: scene.office.id, version: 2 },
      ...{ state: 'waiting', stateSince: at, attempts: 0, dueAt: after(at, minutes(5)) },
      ...{ holdsUntil: null, fault: null },
    })
  })

  test('archive: a signature without a timestamp is stamped first, then archived', async () => {
    const system = whole(current())
    let isUp = false
    const { answerTimestamp } = await import('#server/demo/timestamp-authority.ts')
    const { url } = await timestampServer((query, _request, response) =>
      isUp
        ? response.writeHead(200, REPLY).end(answerTimestamp(query, authority, system.clock.now()))
        : response.writeHead(503).end(),
    )
    const scene = await aSigned(system, url)
    expect(await judged(system, scene)).toMatchObject({ levels: ['B-B'] })
    expect(await archiveDocument(system, scene.document.id)).toBe('waiting')
    expect(await findArchive(system.db, scene.document.id)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      fault: 'timestamp-unavailable',
      holdsUntil: null,
    })
    expect((await listVersions(system.db, scene.document.id)).length).toBe(2)
    isUp = true
    expect(await archiveDocument(system, scene.document.id)).toBe('kept')
    expect(await judged(system, scene)).toMatchObject({
      verdict: 'VALID',
      levels: ['B-LTA'],
      stamps: 2,
      qpdf: 0,
    })
  })

  test('archive: without revocation answers the time is stamped and the rest waits; no other timestamp is bought', async () => {
    let isDown = true
    const system = whole(current(), () => isDown)
    const scene = await aScene(system)
    await askingAt(system, scene, [], 'later')
    await signAs(system, scene.person, scene.efirma, scene.document)
    const { url, asked } = await good(system)
    await askingAt(system, scene, [url])
    expect(await archiveDocument(system, scene.document.id)).toBe('waiting')
    expect(await judged(system, scene)).toMatchObject({ levels: ['B-T'], stamps: 1 })
    expect(await archiveDocument(system, scene.document.id)).toBe('waiting')
    expect(await judged(system, scene)).toMatchObject({ levels: ['B-T'], stamps: 1 })
    expect(await findArchive(system.db, scene.document.id)).toMatchObject({
      state: 'waiting',
      fault: 'no-answer',
      attempts: 2,
    })
    expect(asked.count).toBe(1)
    isDown = false
    expect(await archiveDocument(system, scene.document.id)).toBe('kept')
    expect(await judged(system, scene)).toMatchObject({ levels: ['B-LTA'], stamps: 2 })
    expect(asked.count).toBe(2)
  })

  test('archive that fails after a timestamp was issued: the next try uses this timestamp', async () => {
    const system = whole(current())
    const scene = await aScene(system)
    await askingAt(system, scene, [], 'later')
    await signAs(system, scene.person, scene.efirma, scene.document)
    const { url, asked } = await good(system)
    await askingAt(system, scene, [url])
    const { blobs } = system
    let kept = 0
    const failing = (place: number): TestSystem => ({
      ...system,
      blobs: {
        ...blobs,
        async stage(...whole) {
          const staged = await blobs.stage(...whole)
          const keep: typeof staged.keep = async (officeId) => {
            kept += 1
            if (kept === place) throw new Error('the store says no')
            return await staged.keep(officeId)
          }
          return { ...staged, keep }
        },
      },
    })
    const says = expect(() => archiveDocument(failing(1), scene.document.id)).rejects
    await says.toThrow('the store says no')
    expect(asked.count).toBe(1)
    system.wait(days(3))
    const saysAgain = expect(() => archiveDocument(failing(3), scene.document.id)).rejects
    await saysAgain.toThrow('the store says no')
    expect(asked.count).toBe(2)
    system.wait(days(3))
    // While the authorities are silent, too.
    expect(await archiveDocument(system, scene.document.id, async () => true)).toBe('kept')
    expect(asked.count).toBe(2)
    expect(await judged(system, scene)).toMatchObject({
      ...{ verdict: 'VALID', levels: ['B-LTA'], stamps: 2, qpdf: 0 },
    })
    expect(await system.db.selectFrom('document_stamps').selectAll().execute()).toEqual([])
  })

  test('timestamp under a file longer than 1 MB, and one of another version: not kept, not deleted', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const { version } = await bytesOf(system, scene.document.id)
    const stamp = { by: 'Autoridad', holdsUntil: after(system.clock.now(), days(900)) }
    const keep = (behind: Uint8Array) =>
      system.db.transaction((trx) =>
        keepDocumentStamp(trx, version, { ...stamp, behind }, system.clock.now()),
      )
    await keep(new Uint8Array(1_048_577))
    expect(await findDocumentStamp(system.db, version)).toBeUndefined()
    await keep(new Uint8Array(1_048_576))
    const other = { ...version, sha256: sha256('other') }
    await system.db.transaction((trx) => deleteDocumentStamp(trx, other))
    expect(await findDocumentStamp(system.db, other)).toBeUndefined()
    expect((await findDocumentStamp(system.db, version))?.by).toBe('Autoridad')
  })

  test('timestamp of an earlier try that does not prove what it should: is not used again', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const { version } = await bytesOf(system, scene.document.id)
    const stamp = { by: 'Autoridad', holdsUntil: after(system.clock.now(), days(900)) }
    const behind = new TextEncoder().encode('% no timestamp')
    await system.db.transaction((trx) =>
      keepDocumentStamp(trx, version, { ...stamp, behind }, system.clock.now()),
    )
    expect(await archiveDocument(system, scene.document.id)).toBe('waiting')
    expect(await archiveDocument(system, scene.document.id)).toBe('kept')
    expect(await judged(system, scene)).toMatchObject({ verdict: 'VALID', levels: ['B-LTA'] })
  })

  test('the job finds pending documents at quiet hours, once', async () => {
    const system = whole(current())
    await aSigned(system, (await good(system)).url)
    expect(await archiveWaiting(system)).toBe(0)
    system.wait(minutes(6))
    expect(await archiveWaiting(system)).toBe(1)
    system.wait(hours(1))
    expect([await archiveWaiting(system), await renewArchives(system)]).toEqual([0, 0])
  })

  test('a dead authority: is asked once in a run for all offices that use it, and holds up no other', async () => {
    const read = { count: 0 }
    const { pdf } = current()
    const questions: typeof pdf.questions = (...asked) => {
      read.count += 1
      return pdf.questions(...asked)
    }
    const system = { ...whole(current()), pdf: { ...pdf, questions } }
    const dead = await timestampServer(() => {})
    const offices = []
    for (const number of [1, 2, 3, 4]) {
      const scene = await aScene(system, { office: { number } })
      await signAs(system, scene.person, scene.efirma, scene.document)
      offices.push(scene)
      system.wait(minutes(1))
    }
    const well = offices.pop()!
    for (const scene of offices) await askingAt(system, scene, [dead.url])
    await askingAt(system, well, [(await good(system)).url])
    system.wait(minutes(6))
    expect(await archiveWaiting(system)).toBe(1)
    expect(dead.asked.count).toBe(1)
    for (const { document } of offices)
      expect(await findArchive(system.db, document.id)).toMatchObject({
        ...{ state: 'waiting', attempts: 1, fault: 'timestamp-unavailable' },
        dueAt: after(system.clock.now(), minutes(2)),
      })
    for (const pause of [2, 4, 8]) {
      system.wait(minutes(pause))
      read.count = 0
      expect(await archiveWaiting(system)).toBe(0)
      // No file is read for an authority that is not asked.
      expect(read.count).toBe(1)
    }
    expect(dead.asked.count).toBe(4)
    const alerts = await listAlertRows(system)
    expect(alerts.map(({ office_id, kind }) => [office_id, kind]).toSorted()).toEqual(
      offices.map(({ office }) => [office.id, 'provider-down']).toSorted(),
    )
  })

  test('a dead authority before one that answers: costs one timeout a run', async () => {
    const system = whole(current())
    const [dead, well] = [await timestampServer(() => {}), await good(system)]
    for (const number of [1, 2]) {
      const scene = await aScene(system, { office: { number } })
      await signAs(system, scene.person, scene.efirma, scene.document)
      await askingAt(system, scene, [dead.url, well.url])
    }
    system.wait(minutes(6))
    expect(await archiveWaiting(system)).toBe(2)
    expect([dead.asked.count, well.asked.count]).toEqual([1, 4])
  })

  test('a document on which the work fails keeps no other from its proof', async () => {
    const system = whole(current())
    const { url } = await good(system)
    const broken = await aSigned(system, url)
    system.wait(minutes(1))
    const sound = await aDraft(system, broken.person, undefined, 'Otro poder')
    await signAs(system, broken.person, broken.efirma, sound)
    system.wait(minutes(6))
    const version = await findVersion(system.db, broken.document.id, 2)
    const { blobs } = system
    const failing: TestSystem = {
      ...system,
      blobs: {
        ...blobs,
        withFile: (address, use) =>
          address.sha256 === version?.sha256
            ? Promise.reject(new Error('the disk says no'))
            : blobs.withFile(address, use),
      },
    }
    const ids = [broken.document.id, sound.id]
    const failure = expect.objectContaining({ message: 'the disk says no' })
    expect(await archiveAll(failing, ids, leaveSilentAuthorities(failing))).toEqual({
      kept: 1,
      vain: 1,
      failure,
    })
    expect(await findArchive(system.db, sound.id)).toMatchObject({ state: 'kept' })
    expect(await findArchive(system.db, broken.document.id)).toMatchObject({
      state: 'waiting',
      fault: 'failed',
      attempts: 1,
    })
    expect(await archiveWaiting(failing)).toBe(0)
  })

  test('a stored file that changed is not archived, and the administrators hear of it', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const { version } = await bytesOf(system, scene.document.id)
    const path = await storedPath(system, version)
    const bytes = new Uint8Array(readFileSync(path))
    writeFileSync(path, bytes.with(100, bytes[100]! ^ 1))
    expect(await archiveDocument(system, scene.document.id)).toBe('waiting')
    const fault = 'stored-file-damaged'
    expect(await findArchive(system.db, scene.document.id)).toMatchObject({ fault })
    const recorded = (await system.log()).filter(({ action }) => action === 'document.damaged')
    expect(recorded).toMatchObject([
      { subject: { id: scene.document.id }, details: { version: 2 } },
    ])

    writeFileSync(path, bytes)
    expect(await archiveDocument(system, scene.document.id)).toBe('kept')
  })

  test('is renewed before its timestamp expires, and earlier proofs stay', async () => {
    const system = whole(current())
    const short = await stampingAuthority({ notAfter: after(system.clock.now(), days(200)) })
    const next = await stampingAuthority({ notAfter: after(system.clock.now(), days(2000)) })
    let by = short
    const { answerTimestamp } = await import('#server/demo/timestamp-authority.ts')
    const { url } = await timestampServer((query, _request, response) =>
      response.writeHead(200, REPLY).end(answerTimestamp(query, by, system.clock.now())),
    )
    const scene = await aSigned(system, url)
    await archiveDocument(system, scene.document.id)
    const first = await judged(system, scene)
    system.wait(days(109))
    expect(await renewArchives(system)).toBe(0)
    system.wait(days(2))
    by = next
    expect(await renewArchives(system)).toBe(1)
    expect(await renewArchives(system)).toBe(0)
    const renewed = await judged(system, scene)
    expect(renewed).toMatchObject({ verdict: 'VALID', levels: ['B-LTA'], stamps: 2, qpdf: 0 })
    expect(renewed.bytes.subarray(0, first.bytes.length)).toEqual(first.bytes)
    const grownBy = (list: string) => storeOf(renewed.bytes, list) - storeOf(first.bytes, list)
    // The authority of the first timestamp was known; its status at its end was not.
    expect(grownBy('Certs')).toBe(0)
    expect(grownBy('OCSPs')).toBeGreaterThan(0)
    // Long after the first authority expired the file is still valid by its own proofs.
    system.wait(days(400))
    expect(await judged(system, scene)).toMatchObject({ verdict: 'VALID', levels: ['B-LTA'] })
  })

  test('two at once make one proof, and a document that moved on is left alone', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const { id } = scene.document
    const outcomes = await Promise.all([
      outcomeOf(archiveDocument(system, id)),
      outcomeOf(archiveDocument(system, id)),
    ])
    expect(outcomes.sort()).toEqual(['done', 'stale-version'])
    expect((await listVersions(system.db, id)).length).toBe(3)
  })

  test('a further signature on an archived document is archived too', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    await archiveDocument(system, scene.document.id)
    const archived = await findDocument(system.db, scene.document.id)
    const party = await aParty(system, scene, 'GOPR850312QA1', 1)
    await aFurtherSession(system, scene.person, archived!, [party.asked])
    await signInSession(system, party, archived!, archived!.version)
    expect(await judged(system, scene)).toMatchObject({ cause: 'signed', verdict: 'VALID' })
    system.wait(minutes(6))
    expect(await archiveWaiting(system)).toBe(1)
    expect(await judged(system, scene)).toMatchObject({
      verdict: 'VALID',
      levels: ['B-LTA', 'B-LTA'],
      stamps: 2,
      qpdf: 0,
    })
  })

  test('further session cancelled after one of two signatures: archived with that signature', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const { id } = scene.document
    await archiveDocument(system, id)
    const archived = await findDocument(system.db, id)
    const first = await aParty(system, scene, 'GOPR850312QA1', 1)
    const second = await aParty(system, scene, 'SOLJ900704TB2', 1)
    const asked = [first.asked, second.asked]
    const session = await aFurtherSession(system, scene.person, archived!, asked)
    await signInSession(system, first, archived!, archived!.version)
    system.wait(minutes(6))
    expect(await archiveWaiting(system)).toBe(0)
    const reason = 'El comprador desistió' as ReturnType<typeof Reason.parse>
    await cancelSigningSession(system, scene.person, { signingSessionId: session.id, reason })
    system.wait(minutes(6))
    expect(await archiveWaiting(system)).toBe(1)
    expect(await judged(system, scene)).toMatchObject({ levels: ['B-LTA', 'B-LTA'] })
  })

  test('further session cancelled without a signature: the proof stays', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const { id } = scene.document
    await archiveDocument(system, id)
    const kept = await findArchive(system.db, id)
    const archived = await findDocument(system.db, id)
    const party = await aParty(system, scene, 'GOPR850312QA1', 1)
    const session = await aFurtherSession(system, scene.person, archived!, [party.asked])
    const reason = 'El comprador desistió' as ReturnType<typeof Reason.parse>
    await cancelSigningSession(system, scene.person, { signingSessionId: session.id, reason })
    expect(await findArchive(system.db, id)).toEqual(kept)
  })

  test('a token that is longer than most gets the room that it needs', async () => {
    const system = whole(current())
    const scene = await aSigned(system, (await good(system)).url)
    const long = await stampingAuthority({ name: 'x'.repeat(14_000) })
    await askingAt(system, { office: { ...scene.office, id: scene.office.id } }, [])
    const { url } = await good(system, long)
    await system.db.transaction((trx) =>
      trx.updateTable('service_providers').set({ url }).execute(),
    )
    expect(await archiveDocument(system, scene.document.id)).toBe('kept')
    expect(await judged(system, scene)).toMatchObject({ levels: ['B-LTA'], qpdf: 0 })
  })

  test('a file that is certified against any change is left alone for good, and says why', async () => {
    const system = whole(current())
    const content = await handSigned({
      seal: sealOf(await testEfirma()),
      entries: '/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]',
    })
    const scene = await aScene(system, { content })
    const { url } = await good(system)
    await askingAt(system, scene, [url])
    const { person, document, efirma } = scene
    const signing = signAs(system, person, efirma, document)
    await expect(signing).rejects.toMatchObject({ code: 'signing-forbidden-by-document' })
    const input = { documentId: document.id }
    expect(await readDocumentPage(system, person, input)).toMatchObject({ isClosedByFile: true })

    // As if it had been signed before the job ran.
    await system.db.transaction(async (trx) => {
      const [version] = await listVersions(trx, document.id)
      await insertVersion(trx, { ...version!, version: 2, cause: 'signed', signaturesBrought: 0 })
      const signed = { ...document, state: 'signed', version: 2 } as const
      await replaceDocument(trx, document, signed)
      await awaitArchive(trx, awaitedArchive(signed, system.clock.now()))
    })
    system.wait(minutes(6))
    for (const wait of [0, 1, 400]) {
      system.wait(days(wait))
      expect([await archiveWaiting(system), await renewArchives(system)]).toEqual([0, 0])
    }
    expect(await archiveDocument(system, document.id)).toBe('left-out')
    expect(await listVersions(system.db, document.id)).toHaveLength(2)
    expect((await bytesOf(system, document.id)).bytes).toEqual(Uint8Array.from(content))
    const { archive } = await readDocumentPage(system, person, input)
    expect(archive).toEqual({ kind: 'left-out' })
  })

  test('archive: not made of a draft or without timestamps', async () => {
    const system = whole(current())
    const scene = await aScene(system)
    const { url } = await good(system)
    await askingAt(system, scene, [url], 'none')
    expect(await archiveDocument(system, scene.document.id)).toBe('not-yet')
    await signAs(system, scene.person, scene.efirma, scene.document)
    expect(await archiveDocument(system, scene.document.id)).toBe('not-yet')
    system.wait(minutes(6))
    expect(await archiveWaiting(system)).toBe(0)
  })
})

function storeOf(bytes: Uint8Array, list: string): number {
  const document = readDocument(memorySource(bytes))
  const store = entriesOf(document.resolve(document.catalog.entries.get('DSS')))
  const items = document.resolve(store.get(list))
  return isArray(items) ? items.items.length : 0
}
