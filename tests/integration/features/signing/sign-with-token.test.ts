import { expect, test } from 'vitest'
import { createKeyTokens } from '#server/adapters/pkcs11.ts'
import { listSignatures } from '#server/db/signatures.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { hours } from '#server/domain/time.ts'
import { signWithToken } from '#server/features/signing/sign-with-token.ts'
import { aSoftToken } from '#tests/support/a-soft-token.ts'
import { aDraft, aScene, onEachSigningSystem, type Scene } from '#tests/support/signing-system.ts'
import { TEST_PIN } from '#tests/support/soft-tokens.ts'
import { testEfirma } from '#tests/support/test-authority.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const withToken = (system: TestSystem, efirma: Scene['efirma']): TestSystem => ({
  ...system,
  tokens: createKeyTokens(aSoftToken({ objects: [{ efirma }] }).module),
})

const asked = ({ document }: Scene, pin = TEST_PIN) => ({
  documentId: document.id,
  version: document.version,
  pin,
})

onEachSigningSystem('signing with a token on the server', (current) => {
  test('the key in the token signs, and the log says how', async () => {
    const scene = await aScene(current())
    const system = withToken(current(), scene.efirma)
    expect(await signWithToken(system, scene.person, asked(scene))).toMatchObject({
      kind: 'signed',
      signed: { version: 2 },
    })
    const [signature] = await listSignatures(system.db, scene.document.id)
    expect(signature).toMatchObject({ method: 'pkcs11', report: { verdict: 'VALID' } })
    expect(JSON.stringify(await system.log())).not.toContain(TEST_PIN)
  })

  test('a wrong PIN is refused, told and not logged, and holds the document for nobody', async () => {
    const scene = await aScene(current())
    const system = withToken(current(), scene.efirma)
    expect(await signWithToken(system, scene.person, asked(scene, '777111'))).toMatchObject({
      kind: 'refused',
      code: 'wrong-pin',
      sentence: expect.stringMatching(/NIP no es correcto/),
    })
    const events = await system.log()
    expect(events.at(-1)).toMatchObject({
      action: 'signature.refused',
      details: { code: 'wrong-pin', method: 'pkcs11' },
    })
    expect(JSON.stringify(events)).not.toContain('777111')
    expect(await system.db.selectFrom('prepared_signatures').selectAll().execute()).toEqual([])
  })

  test('after two wrong PINs none is tried, not even the right one, until the next day', async () => {
    const scene = await aScene(current())
    const system = withToken(current(), scene.efirma)
    const codeOf = async (pin?: string) => {
      const outcome = await signWithToken(system, scene.person, asked(scene, pin))
      return outcome.kind === 'refused' ? outcome.code : outcome.kind
    }
    const wrong = await Promise.all([codeOf('111111'), codeOf('222222'), codeOf('333333')])
    expect(wrong.toSorted()).toEqual(['pin-resting', 'wrong-pin', 'wrong-pin'])
    expect(await codeOf(TEST_PIN)).toBe('pin-resting')
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'signature.refused',
      details: { code: 'pin-resting', method: 'pkcs11' },
    })
    current().wait(hours(25))
    expect(await codeOf(TEST_PIN)).toBe('signed')
  })

  test('the right PIN forgets a wrong one', async () => {
    const scene = await aScene(current())
    const system = withToken(current(), scene.efirma)
    const document = await aDraft(current(), scene.person, undefined, 'Otro poder')
    const codeOf = async (one: Pick<Scene, 'document'>, pin?: string) => {
      const outcome = await signWithToken(system, scene.person, asked({ ...scene, ...one }, pin))
      return outcome.kind === 'refused' ? outcome.code : outcome.kind
    }
    expect(await codeOf(scene, '111111')).toBe('wrong-pin')
    expect(await codeOf(scene)).toBe('signed')
    expect(await codeOf({ document }, '111111')).toBe('wrong-pin')
    expect(await codeOf({ document }, '222222')).toBe('wrong-pin')
    expect(await codeOf({ document })).toBe('pin-resting')
  })

  test('the token of somebody else is not even opened', async () => {
    const scene = await aScene(current())
    const other = await testEfirma({ rfc: 'CUNI900101AB2', keyPair: await newKeyPair() })
    const system = withToken(current(), other)
    expect(await signWithToken(system, scene.person, asked(scene, '000000'))).toMatchObject({
      kind: 'refused',
      code: 'no-certificate',
    })
  })

  test('without a module there is no such way', async () => {
    const scene = await aScene(current())
    await expect(signWithToken(current(), scene.person, asked(scene))).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
