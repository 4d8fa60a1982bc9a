import { expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import {
  findConstancia,
  insertConstanciaRequest,
  replaceConstancia,
} from '#server/db/trust/constancias.ts'
import { sha256 as digestOf } from '#server/domain/crypto/sha256.ts'
import { minutes } from '#server/domain/time.ts'
import { currentReport } from '#server/steps/judgements/current-report.ts'
import type { System } from '#server/system.ts'
import { stranger } from '#tests/support/builders.ts'
import { aSignedDocument, aVersion, someReport } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

type Verify = System['pdf']['verify']

/** A signed version, and a system that counts how often files are verified, and notes with which constancia. */
async function aVerifier(whole: TestSystem, verify: Verify = async () => someReport) {
  const { office, author, document } = await aSignedDocument(whole.db)
  const version = aVersion(document, 2)
  const asked: (Uint8Array | undefined)[] = []
  const withFile: System['blobs']['withFile'] = async ({ sha256 }, use) =>
    use({ path: sha256, length: 1, fileKey: null })
  const trusted = { now: 'of today' }
  const system: System = {
    ...whole,
    blobs: { ...whole.blobs, withFile },
    pdf: {
      ...whole.pdf,
      verify: (...given) => {
        asked.push(given[3]?.constancia)
        return verify(...given)
      },
    },
    trust: {
      ...whole.trust,
      policy: async () => ({}) as never,
      fingerprint: async () => trusted.now,
    },
  }
  return { system, version, asked, trusted, office, author }
}

onEachSystem('report on a stored file', (current) => {
  test('requests that arrive together share one verification', async () => {
    const { system, version, asked } = await aVerifier(current())
    const all = await Promise.all([1, 2, 3].map(() => currentReport(system, version)))
    expect(all).toEqual(Array(3).fill({ report: someReport, at: system.clock.now() }))
    expect(asked).toHaveLength(1)
  })

  test('the office does not wait for a verification that the public began', async () => {
    const waiting = Promise.withResolvers<typeof someReport>()
    let begun = 0
    const verify: Verify = () => (begun++ === 0 ? waiting.promise : Promise.resolve(someReport))
    const { system, version } = await aVerifier(current(), verify)
    const ofPublic = currentReport(system, version, { isPublic: true })
    await expect.poll(() => begun).toBe(1)
    expect((await currentReport(system, version)).report).toEqual(someReport)
    waiting.resolve(someReport)
    await ofPublic
  })

  test('the office does not wait for a verification that a reader began, whose others wait for it', async () => {
    const waiting = Promise.withResolvers<typeof someReport>()
    let begun = 0
    const verify: Verify = () => (begun++ === 0 ? waiting.promise : Promise.resolve(someReport))
    const { system, version } = await aVerifier(current(), verify)
    const reader = stranger()
    const first = currentReport(system, version, { reader })
    await expect.poll(() => begun).toBe(1)
    const second = currentReport(system, { ...version, sha256: digestOf('other') }, { reader })
    expect((await currentReport(system, version)).report).toEqual(someReport)
    expect(begun).toBe(2)
    waiting.resolve(someReport)
    await Promise.all([first, second])
    expect(begun).toBe(3)
  })

  test('is kept for five minutes, for every process of the server', async () => {
    const { system, version, asked } = await aVerifier(current())
    const { at } = await currentReport(system, version)
    current().wait(minutes(4))
    const elsewhere = { ...system, memory: createMemory() }
    expect(await currentReport(elsewhere, version)).toEqual({ report: someReport, at })
    expect(asked).toHaveLength(1)
    current().wait(minutes(2))
    expect((await currentReport(system, version)).at).toBe(current().clock.now())
    expect(asked).toHaveLength(2)
  })

  test('is made again under other authorities', async () => {
    const { system, version, asked, trusted } = await aVerifier(current())
    await currentReport(system, version)
    trusted.now = 'of tomorrow'
    await currentReport(system, version)
    expect(asked).toHaveLength(2)
  })

  test('is made again after verification failed', async () => {
    let fails = true
    const { system, version } = await aVerifier(current(), async () => {
      if (fails) throw new Error('the worker is gone')
      return someReport
    })
    await expect(currentReport(system, version)).rejects.toThrow('the worker is gone')
    fails = false
    expect((await currentReport(system, version)).report).toEqual(someReport)
  })

  test('relies on the constancia once it is issued, not on an answer before', async () => {
    const { system, version, asked, office } = await aVerifier(current())
    const { db } = current()
    const at = current().clock.now()
    const { documentId, sha256 } = version
    const answer = Uint8Array.of(1, 2, 3)
    const ofFile = { documentId, version: 2, sha256 }
    await db.transaction(async (trx) => {
      await insertConstanciaRequest(trx, { ...ofFile, officeId: office.id, by: null, at })
      const pending = await findConstancia(trx, documentId, 2)
      if (!pending) throw new Error('it was just requested')
      await replaceConstancia(trx, pending, { ...pending, answer })
    })
    await currentReport(system, version)
    expect(asked).toEqual([undefined])
    await db.transaction(async (trx) => {
      const pending = await findConstancia(trx, documentId, 2)
      if (!pending) throw new Error('it was requested')
      await replaceConstancia(trx, pending, { ...pending, state: 'issued' })
    })
    await currentReport(system, version)
    await currentReport(system, version)
    expect(asked.map((one) => one && [...one])).toEqual([undefined, [1, 2, 3]])
  })
})
