import { beforeAll, expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
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
import { aFurtherSession } from '#tests/support/office/ceremonies.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'
import { bytesIn, onDisk } from '#tests/support/stored-files.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const [pdfsig, qpdf] = [judge('pdfsig'), judge('qpdf')]

let authority: StampingAuthority
beforeAll(async () => {
  authority = await stampingAuthority()
})

const good = (by: StampingAuthority = authority) => stampingServer(by, () => TEST_NOW)

const slow = () => timestampServer(() => undefined)
const garbage = () =>
  timestampServer((_query, _request, response) => response.writeHead(200, REPLY).end('nada'))
const forAnotherRequest = () =>
  timestampServer((_query, _request, response) => {
    const other = { digest: new Uint8Array(32), nonce: new Uint8Array(16).fill(9), policy: null }
    response
      .writeHead(200, REPLY)
      .end(answerTimestamp(timeStampRequest(other), authority, TEST_NOW))
  })

const levelsOf = async ({ db }: TestSystem, id: DocumentId) =>
  (await listReportedSignatures(db, id)).map(({ level }) => level)

async function fileOf(system: TestSystem, id: DocumentId, version: number) {
  const found = await findVersion(system.db, id, version)
  if (!found) throw new Error('no such version')
  return await onDisk(await bytesIn(system, found), (path) => ({
    judged: [pdfsig('-nocert', path).output, qpdf('--check', path).status] as const,
    bytes: found.bytes,
  }))
}

onEachSigningSystem('signatures with timestamps', (current) => {
  test('a signature carries the timestamp of the first authority, and judges take it', async () => {
    const system = withTimestamps(current())
    const scene = await aScene(system)
    await askingAt(system, scene, [(await good()).url])
    await signAs(system, scene.person, scene.efirma, scene.document)
    expect(await levelsOf(system, scene.document.id)).toEqual(['B-T'])
    const { judged } = await fileOf(system, scene.document.id, 2)
    expect(judged[0]).toContain('Signature is Valid')
    expect(judged[1]).toBe(0)
    const [signature] = await listReportedSignatures(system.db, scene.document.id)
    expect(signature?.report.signatures[0]).toMatchObject({
      level: 'B-T',
      indication: 'TOTAL_PASSED',
      timestamps: [{ kind: 'signature', valid: true, trusted: true }],
    })
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'document.signed',
      details: { timestamp: expect.stringMatching(/^Sellos en \d+$/) },
    })
  })

  test('authorities: one that is down, slow or wrong is skipped', async () => {
    const system = withTimestamps(current())
    const scene = await aScene(system)
    const down = await good()
    down.stop()
    const bad = [await slow(), await garbage(), await forAnotherRequest()]
    const last = await good()
    await askingAt(system, scene, [down.url, ...bad.map(({ url }) => url), last.url])
    await signAs(system, scene.person, scene.efirma, scene.document)
    expect(await levelsOf(system, scene.document.id)).toEqual(['B-T'])
    expect([...bad, last].map(({ asked }) => asked.count)).toEqual([1, 1, 1, 1])
    expect((await system.log()).at(-1)?.details.timestamp).toBe(
      `Sellos en ${new URL(last.url).port}`,
    )
  })

  test('without any, the signature is taken as it is where the office says so', async () => {
    const system = withTimestamps(current())
    const scene = await aScene(system)
    await askingAt(system, scene, [(await garbage()).url])
    await signAs(system, scene.person, scene.efirma, scene.document)
    expect(await levelsOf(system, scene.document.id)).toEqual(['B-B'])
  })

  test('without any, nothing is signed where the office wants one, and the same try goes on later', async () => {
    const system = withTimestamps(current())
    const scene = await aScene(system)
    let isUp = false
    const { url } = await timestampServer((query, _request, response) =>
      isUp
        ? response.writeHead(200, REPLY).end(answerTimestamp(query, authority, TEST_NOW))
        : response.writeHead(503).end(),
    )
    await askingAt(system, scene, [url], 'required')
    const sign = () => signAs(system, scene.person, scene.efirma, scene.document)
    expect(await outcomeOf(sign())).toBe('timestamp-unavailable')
    expect(await findDocument(system.db, scene.document.id)).toMatchObject({
      state: 'draft',
      version: 1,
    })
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'signature.refused',
      details: { code: 'timestamp-unavailable' },
    })
    isUp = true
    await sign()
    expect(await levelsOf(system, scene.document.id)).toEqual(['B-T'])
  })

  test('timestamps: no authority is asked if the policy is none', async () => {
    const system = withTimestamps(current())
    const scene = await aScene(system)
    const { url, asked } = await good()
    await askingAt(system, scene, [url], 'none')
    await signAs(system, scene.person, scene.efirma, scene.document)
    expect([await levelsOf(system, scene.document.id), asked.count]).toEqual([['B-B'], 0])
  })

  test('a timestamp that does not fit is left out, and is none where the office wants one', async () => {
    const system = withTimestamps(current())
    const padding = new Uint8Array(20_000).fill(0x61)
    const large = await stampingAuthority({ name: Buffer.from(padding).toString('latin1') })
    const scene = await aScene(system)
    await askingAt(system, scene, [(await good(large)).url])
    await signAs(system, scene.person, scene.efirma, scene.document)
    expect(await levelsOf(system, scene.document.id)).toEqual(['B-B'])
  })

  test('two sign one after the other, each with a timestamp', async () => {
    const system = withTimestamps(current())
    const scene = await aScene(system)
    await askingAt(system, scene, [(await good()).url])
    await signAs(system, scene.person, scene.efirma, scene.document)
    const signed = await findDocument(system.db, scene.document.id)
    const asked = { kind: 'user', userId: scene.user.id, character: null, step: 1 } as const
    await aFurtherSession(system, scene.person, signed!, [asked])
    await signAs(system, scene.person, scene.efirma, signed!)
    expect(await levelsOf(system, scene.document.id)).toEqual(['B-T', 'B-T'])
    const { judged } = await fileOf(system, scene.document.id, 3)
    expect(judged[0].match(/Signature is Valid/g)).toHaveLength(2)
  })
})
