import { expect, test } from 'vitest'
import { createKeyTokens } from '#server/adapters/pkcs11.ts'
import { environmentOf } from '#server/config.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { TokenError } from '#server/domain/signing/token-refusal.ts'
import { hours } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { signWithToken } from '#server/features/signatures/sign-with-token.ts'
import type { OpenTokens } from '#server/ports/key-tokens.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { aSoftToken } from '#tests/support/keys/a-soft-token.ts'
import { TEST_PIN } from '#tests/support/keys/soft-tokens.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  type Scene,
} from '#tests/support/office/signing-system.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

type Use<T> = (tokens: OpenTokens) => Promise<T>

const withToken = (system: TestSystem, efirma: Scene['efirma']): TestSystem => ({
  ...system,
  tokens: createKeyTokens(aSoftToken({ objects: [{ efirma }] }).module, environmentOf),
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
    const [signature] = await listReportedSignatures(system.db, scene.document.id)
    expect(signature).toMatchObject({ method: 'pkcs11', report: { verdict: 'VALID' } })
    expect(JSON.stringify(await system.log())).not.toContain(TEST_PIN)
  })

  test('wrong PIN: refused, reported and not logged, and holds no document', async () => {
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
    expect([await codeOf('111111'), await codeOf('222222')]).toEqual(['wrong-pin', 'wrong-pin'])
    expect(await codeOf(TEST_PIN)).toBe('pin-resting')
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'signature.refused',
      details: { code: 'pin-resting', method: 'pkcs11' },
    })
    current().wait(hours(25))
    expect(await codeOf(TEST_PIN)).toBe('signed')
  })

  test('wrong PINs: no more than two are tried at once', async () => {
    const scene = await aScene(current())
    const tried: string[] = []
    const certificate = readCertificate(scene.efirma.cer)
    const card: OpenTokens = {
      certificates: async () => [{ token: 'notaria', serial: '12345678', certificate }],
      async login(_, pin) {
        tried.push(pin)
        throw new TokenError('wrong-pin', 'as a card says it')
      },
      sign: () => Promise.reject(new Error('the token is not open')),
    }
    const system = { ...current(), tokens: { withTokens: <T>(use: Use<T>) => use(card) } }
    const pins = ['1111', '2222', '3333', '4444', '5555']
    const outcomes = await Promise.all(
      pins.map((pin) => signWithToken(system, scene.person, asked(scene, pin))),
    )
    expect(tried).toHaveLength(2)
    const codes = outcomes.map((outcome) => outcome.kind === 'refused' && outcome.code)
    expect(codes.filter((code) => code === 'pin-resting')).toHaveLength(3)
  })

  test('file that is not green: refused before the PIN is tried', async () => {
    const script = pdfWithTable(bodiesWithPages(1, '/OpenAction<</S/JavaScript/JS(x)>>'))
    const scene = await aScene(current(), { content: script })
    const unused = { withTokens: () => Promise.reject(new Error('the token was opened')) }
    const system = { ...current(), tokens: unused }
    await expect(signWithToken(system, scene.person, asked(scene))).rejects.toMatchObject({
      code: 'acknowledgement-needed',
    })
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

  test('PKCS#11: a token of another person is not opened', async () => {
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
