import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { checkEfirma } from '#server/steps/signing/check-efirma.ts'
import { TEST_NOW, TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'
import { inThisThread } from '#tests/support/test-system.ts'

const ANA = Rfc.parse('MULA800101AB1')
const BENITO = Rfc.parse('NUPB801201QX7')

/** How many keys are derived from passwords at the moment, and at most. */
const deriving = { now: 0, most: 0 }
beforeEach(() => {
  const derive = crypto.subtle.deriveBits.bind(crypto.subtle)
  deriving.most = 0
  vi.spyOn(crypto.subtle, 'deriveBits').mockImplementation(async (...asked) => {
    deriving.now += 1
    deriving.most = Math.max(deriving.most, deriving.now)
    return await derive(...asked).finally(() => {
      deriving.now -= 1
    })
  })
})
afterEach(() => void vi.restoreAllMocks())

const system = { memory: createMemory(), signerKeys: inThisThread }

async function formsOf(rfc: Rfc) {
  const efirma = await testEfirma({ rfc })
  const common = { password: TEST_PASSWORD, consent: true }
  const none = new Uint8Array()
  const facts = { now: TEST_NOW, rfc, zone: 'America/Mexico_City' }
  return {
    pair: () =>
      checkEfirma(
        system,
        { ...common, certificate: efirma.cer, privateKey: efirma.key.slice() },
        facts,
      ),
    pkcs12: () =>
      checkEfirma(
        system,
        { ...common, certificate: none, privateKey: none, pkcs12: pkcs12Of([efirma]) },
        facts,
      ),
  }
}

test('opened keys: one after the other, for all signers and kinds of file', async () => {
  const [ana, benito] = [await formsOf(ANA), await formsOf(BENITO)]
  const checked = await Promise.all([
    ...[ana.pair(), ana.pkcs12(), ana.pair()],
    ...[benito.pkcs12(), benito.pair(), benito.pkcs12()],
  ])
  expect(checked.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'opened'))
  expect(deriving.most).toBe(1)
})

test('opened keys: a fifth of one signer is refused, other signers are served', async () => {
  const [ana, benito] = [await formsOf(ANA), await formsOf(BENITO)]
  const four = [ana.pair(), ana.pair(), ana.pair(), ana.pair()]
  await expect(ana.pair()).rejects.toMatchObject({ code: 'too-many-attempts' })
  await expect(ana.pkcs12()).rejects.toMatchObject({ code: 'too-many-attempts' })
  expect(await benito.pair()).toMatchObject({ kind: 'opened' })
  expect(await Promise.all(four)).toHaveLength(4)
  expect(await ana.pair()).toMatchObject({ kind: 'opened' })
})

test('opened keys: a failing one lets the next one in', async () => {
  const ana = await formsOf(ANA)
  vi.mocked(crypto.subtle.deriveBits).mockRejectedValueOnce(new Error('broken'))
  const [first, second] = await Promise.allSettled([ana.pair(), ana.pair()])
  expect(first).toMatchObject({ status: 'rejected', reason: { message: 'broken' } })
  expect(second).toMatchObject({ status: 'fulfilled', value: { kind: 'opened' } })
})
