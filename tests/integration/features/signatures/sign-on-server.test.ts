import { expect, test } from 'vitest'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { type SignOnServer, signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'
import {
  aPdf,
  aScene,
  onEachSigningSystem,
  type Scene,
} from '#tests/support/office/signing-system.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'

function asked({ document, efirma }: Scene, changes: Partial<SignOnServer> = {}): SignOnServer {
  return {
    documentId: document.id,
    version: document.version,
    certificate: efirma.cer.slice(),
    privateKey: efirma.key.slice(),
    password: TEST_PASSWORD,
    consent: true,
    ...changes,
  }
}

const COPY = (bytes: Uint8Array) => bytes.slice()

onEachSigningSystem('signing with a key in the memory of the server', (system) => {
  const events = async () =>
    (await system().log())
      .slice(1)
      .map(({ action, details }) => [action, details.method ?? details.code])

  test('signs, says how, and leaves nothing of the key', async () => {
    const scene = await aScene(system())
    const input = asked(scene)
    expect(await signOnServer(system(), scene.person, input)).toEqual({
      kind: 'signed',
      signed: { documentId: scene.document.id, version: 2 },
    })
    expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
    expect(input.certificate.every((byte) => byte === 0)).toBe(true)
    const [signature] = await listReportedSignatures(system().db, scene.document.id)
    expect(signature).toMatchObject({ method: 'server', report: { verdict: 'VALID' } })
    expect(await events()).toEqual([
      ['signature.prepared', 'server'],
      ['document.signed', 'server'],
    ])
    expect(JSON.stringify(await system().log())).not.toContain(TEST_PASSWORD)
  })

  test('a PKCS#12 file signs in place of the two, and is wiped', async () => {
    const scene = await aScene(system())
    const pkcs12 = new Uint8Array(pkcs12Of([scene.efirma]))
    const none = { certificate: new Uint8Array(), privateKey: new Uint8Array() }
    const input = asked(scene, { ...none, pkcs12 })
    expect((await signOnServer(system(), scene.person, input)).kind).toBe('signed')
    expect(pkcs12.every((byte) => byte === 0)).toBe(true)
  })

  test('PKCS#12: problems are shown under the file', async () => {
    const scene = await aScene(system())
    const other = await testEfirma({ rfc: 'CUNI900101AB2', keyPair: await newKeyPair() })
    const none = { certificate: new Uint8Array(), privateKey: new Uint8Array() }
    const own = () => new Uint8Array(pkcs12Of([scene.efirma]))
    const cases: [Partial<SignOnServer>, Record<string, RegExp>][] = [
      [{ ...none, pkcs12: own(), password: 'otra' }, { password: /no corresponde a este archivo/ }],
      [{ ...none, pkcs12: await aPdf() }, { pkcs12: /documento PDF/ }],
      [{ ...none, pkcs12: new Uint8Array(pkcs12Of([other])) }, { pkcs12: /otra persona/ }],
      [{ pkcs12: own() }, { pkcs12: /no ambas cosas/ }],
      [{ ...none, pkcs12: own(), consent: false }, { consent: /autorizar/ }],
    ]
    for (const [changes, sentences] of cases) {
      const outcome = await signOnServer(system(), scene.person, asked(scene, changes))
      if (outcome.kind !== 'refused') throw new Error('it signed')
      expect(Object.keys(outcome.sentences)).toEqual(Object.keys(sentences))
      for (const [field, sentence] of Object.entries(sentences))
        expect(Object.entries(outcome.sentences)).toContainEqual([
          field,
          expect.stringMatching(sentence),
        ])
    }
  })

  test('every wrong field has its sentence, and nothing is signed', async () => {
    const scene = await aScene(system())
    const { cer, key } = scene.efirma
    const stranger = await testEfirma({ keyPair: await newKeyPair() })
    const cases: [Partial<SignOnServer>, Record<string, RegExp>][] = [
      [{ password: 'otra' }, { password: /no corresponde a esta clave privada/ }],
      [{ privateKey: COPY(stranger.key) }, { privateKey: /no corresponde al certificado/ }],
      [
        { certificate: COPY(key), privateKey: COPY(cer) },
        { certificate: /Es una clave privada/, privateKey: /Es un certificado/ },
      ],
      [{ certificate: await aPdf() }, { certificate: /documento PDF/ }],
      [
        {
          certificate: new Uint8Array(),
          privateKey: new Uint8Array(),
          password: '',
          consent: false,
        },
        { certificate: /vacío/, privateKey: /vacío/, password: /Escriba/, consent: /casilla/ },
      ],
      [{ consent: false }, { consent: /casilla/ }],
    ]
    for (const [changes, sentences] of cases) {
      const input = asked(scene, changes)
      const outcome = await signOnServer(system(), scene.person, input)
      expect(outcome).toEqual({
        kind: 'refused',
        sentences: Object.fromEntries(
          Object.entries(sentences).map(([field, text]) => [field, expect.stringMatching(text)]),
        ),
      })
      expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
    }
    expect((await system().log()).slice(1).map(({ details }) => details.code)).toEqual([
      'wrong-password',
      'key-mismatch',
      'is-a-private-key',
      'is-a-pdf',
      'empty-file',
      'incomplete',
    ])
    expect(await listReportedSignatures(system().db, scene.document.id)).toEqual([])
  })

  test('an office that switched it off refuses, and the key is wiped all the same', async () => {
    const scene = await aScene(system(), { office: { serverSigning: 'disabled' } })
    const input = asked(scene)
    await expect(signOnServer(system(), scene.person, input)).rejects.toMatchObject({
      code: 'server-signing-disabled',
    })
    expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
    expect(await events()).toEqual([])
  })
})
