import { expect, test } from 'vitest'
import { createKeyTokens } from '#server/adapters/pkcs11.ts'
import { listSignatures } from '#server/db/signatures.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { signWithToken } from '#server/features/signing/sign-with-token.ts'
import { aSoftToken } from '#tests/support/a-soft-token.ts'
import { aScene, onEachSigningSystem, type Scene } from '#tests/support/signing-system.ts'
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
