import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  noteOnCertificate,
  noteOnKey,
  type SigningStep,
  type SigningTask,
  signHere,
} from '#app/islands/signing-flow.ts'
import { type SigningServer, signingServerAt } from '#app/islands/signing-server.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { buildSignedAttributes } from '#server/domain/efirma/signed-attributes.ts'
import { TEST_NOW, TEST_PASSWORD, testEfirma } from '#tests/support/test-authority.ts'

const digest = new Uint8Array(32).fill(7)
const documentSha256 = 'ab'.repeat(32)
const efirma = await testEfirma()
const toBeSigned = buildSignedAttributes({
  digest,
  certificateDigest: Buffer.from(sha256(efirma.cer), 'hex'),
})

type Calls = { certificate?: Uint8Array; signature?: Uint8Array }

function aServer(changes: Partial<SigningServer> = {}): SigningServer & { calls: Calls } {
  const calls: Calls = {}
  return {
    calls,
    async prepare(certificate) {
      calls.certificate = certificate
      return { kind: 'prepared', id: 'prepared-1', toBeSigned, digest, documentSha256 }
    },
    async complete(_, signature) {
      calls.signature = signature
      return { kind: 'completed' }
    },
    ...changes,
  }
}

function aTask(server: SigningServer, changes: Partial<SigningTask> = {}): SigningTask {
  return {
    certificate: efirma.cer,
    key: efirma.key.slice(),
    password: TEST_PASSWORD,
    rfc: 'MULA800101AB1',
    now: TEST_NOW,
    zone: 'America/Mexico_City',
    documentSha256,
    server,
    onStep() {},
    ...changes,
  }
}

describe('signing in the page', () => {
  test('the key signs what was prepared, step by step, and is wiped', async () => {
    const server = aServer()
    const steps: SigningStep[] = []
    const task = aTask(server, { onStep: (step) => steps.push(step) })
    expect(await signHere(task)).toEqual({ kind: 'signed' })
    expect(steps).toEqual(['opening', 'preparing', 'signing', 'storing', 'signed'])
    expect(task.key.every((byte) => byte === 0)).toBe(true)
    const key = createPublicKey(efirma.keyPair.privateKey)
    expect(verify('sha256', toBeSigned, key, server.calls.signature!)).toBe(true)
    expect(server.calls.certificate).toEqual(efirma.cer)
  })

  test('what is wrong here is told under its field, before anything is sent', async () => {
    const stranger = await testEfirma({ keyPair: await newKeyPair() })
    const csd = await testEfirma({ kind: 'csd', branch: 'Matriz' })
    const cases: [Partial<SigningTask>, string][] = [
      [{ password: 'otra' }, 'password'],
      [{ key: stranger.key.slice() }, 'key'],
      [{ key: efirma.cer.slice() }, 'key'],
      [{ certificate: efirma.key }, 'certificate'],
      [{ certificate: csd.cer }, 'certificate'],
      [{ rfc: 'CACX7605101P8' }, 'certificate'],
    ]
    for (const [changes, field] of cases) {
      const server = aServer()
      const task = aTask(server, changes)
      expect(await signHere(task)).toMatchObject({ kind: 'refused', field })
      expect(server.calls).toEqual({})
      expect(task.key.every((byte) => byte === 0)).toBe(true)
    }
  })

  test.each([
    ['another document', { documentSha256: 'cd'.repeat(32) }],
    ['another digest', { digest: new Uint8Array(32) }],
    ['something else', { toBeSigned: new TextEncoder().encode('un pagaré') }],
  ])('a server that asks to sign %s gets no signature', async (_, lie) => {
    const server = aServer({
      prepare: async () => ({
        kind: 'prepared',
        id: '1',
        toBeSigned,
        digest,
        documentSha256,
        ...lie,
      }),
    })
    expect(await signHere(aTask(server))).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('No se firmó nada'),
    })
    expect(server.calls.signature).toBeUndefined()
  })

  test.each(['preparation-superseded', 'preparation-expired'])(
    '%s: it is prepared once more with the key still open',
    async (code) => {
      let prepared = 0
      let completed = 0
      const prepare = aServer().prepare
      const refusal = { kind: 'refused', sentence: 'Otra ventana.', code } as const
      const server = (isGood: (attempt: number) => boolean) =>
        aServer({
          prepare: (certificate) => {
            prepared += 1
            return prepare(certificate)
          },
          complete: async () => {
            completed += 1
            return isGood(completed) ? { kind: 'completed' } : refusal
          },
        })
      expect(await signHere(aTask(server((attempt) => attempt > 1)))).toEqual({ kind: 'signed' })
      expect([prepared, completed]).toEqual([2, 2])
      expect(await signHere(aTask(server(() => false)))).toEqual(refusal)
      expect([prepared, completed]).toEqual([4, 4])
    },
  )

  test('a document that moved on is not prepared again', async () => {
    const moved = { kind: 'refused', sentence: 'Cambió.', code: 'stale-version' } as const
    let completed = 0
    const complete = async () => {
      completed += 1
      return moved
    }
    expect(await signHere(aTask(aServer({ complete })))).toEqual(moved)
    expect(completed).toBe(1)
  })

  test('what the server refuses comes back as its sentence', async () => {
    const refusal = { kind: 'refused', sentence: 'El documento cambió.' } as const
    const early = aServer({ prepare: async () => refusal })
    const late = aServer({ complete: async () => refusal })
    expect(await signHere(aTask(early))).toEqual(refusal)
    expect(await signHere(aTask(late))).toEqual(refusal)
  })
})

test('a chosen file is told apart at once', async () => {
  const facts = { rfc: 'MULA800101AB1', now: TEST_NOW, zone: 'America/Mexico_City' }
  expect(noteOnCertificate(efirma.cer, facts)).toMatchObject({
    isGood: true,
    sentence: expect.stringContaining('ANA MARÍA MUÑOZ LÓPEZ'),
  })
  expect(noteOnCertificate(efirma.key, facts)).toMatchObject({ isGood: false })
  expect(noteOnKey(efirma.key)).toMatchObject({ isGood: true })
  expect(noteOnKey(efirma.cer)).toMatchObject({ isGood: false })
})

describe('the calls of the page', () => {
  const form = { csrf: 'token', version: '3' }
  type Sent = { url: string; body: URLSearchParams }

  function answering(answer: Response | Error, sent: Sent[] = []) {
    return signingServerAt('/documento/sign', form, async (url, init) => {
      sent.push({ url: String(url), body: init?.body as URLSearchParams })
      if (answer instanceof Error) throw answer
      return answer
    })
  }

  test('only the certificate and the signature are sent', async () => {
    const sent: Sent[] = []
    const prepared = {
      kind: 'prepared',
      id: '1',
      toBeSigned: 'AQI=',
      digest: 'Aw==',
      documentSha256,
    }
    const first = answering(Response.json(prepared), sent)
    expect(await first.prepare(Uint8Array.of(1, 2))).toEqual({
      kind: 'prepared',
      id: '1',
      toBeSigned: Uint8Array.of(1, 2),
      digest: Uint8Array.of(3),
      documentSha256,
    })
    const second = answering(Response.json({ kind: 'completed' }), sent)
    expect(await second.complete('1', Uint8Array.of(9))).toEqual({ kind: 'completed' })
    expect(sent.map(({ url, body }) => [url, Object.fromEntries(body)])).toEqual([
      ['/documento/sign/prepare', { csrf: 'token', version: '3', certificate: 'AQI=' }],
      ['/documento/sign/complete', { csrf: 'token', preparedId: '1', signature: 'CQ==' }],
    ])
  })

  test('the reason comes with the sentence', async () => {
    const refusal = { kind: 'refused', sentence: 'Su sesión ha expirado.', code: 'not-signed-in' }
    const server = answering(Response.json(refusal, { status: 401 }))
    expect(await server.complete('1', new Uint8Array())).toEqual(refusal)
  })

  test.each([
    ['no connection', new TypeError('fetch failed'), /conexión/],
    ['a page instead of an answer', new Response('<html>'), /inesperado/],
    ['nothing that we know', Response.json({ kind: 'toast' }), /inesperado/],
    ['a refusal', Response.json({ kind: 'refused', sentence: 'No.' }, { status: 409 }), /^No\.$/],
  ])('%s is a sentence', async (_, answer, sentence) => {
    expect(await answering(answer).prepare(new Uint8Array())).toEqual({
      kind: 'refused',
      sentence: expect.stringMatching(sentence),
    })
  })
})
