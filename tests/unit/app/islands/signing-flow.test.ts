import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SigningStep, Timing } from '#app/islands/sign-one.ts'
import {
  noteOnCertificate,
  noteOnKey,
  noteOnPkcs12,
  type SigningTask,
  signHere,
} from '#app/islands/signing-flow.ts'
import { type SigningServer, signingServerAt } from '#app/islands/signing-server.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { buildSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { after, days, parseInstant } from '#server/domain/time.ts'
import { TEST_NOW, TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'

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

/** Pauses are over at once and count all the same. */
function aTiming(): Timing & { pauses: number[] } {
  let now = 0
  const pauses: number[] = []
  return {
    pauses,
    now: () => now,
    async pause(milliseconds) {
      pauses.push(milliseconds)
      now += milliseconds
    },
  }
}

describe('signing in the page', () => {
  test('the key signs the prepared attributes step by step and is wiped', async () => {
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

  test('e.firma: local problems are shown under their field before any request', async () => {
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

  describe('when another signer was quicker', () => {
    const refusal = (code: string) =>
      ({ kind: 'refused', sentence: 'Otra persona.', code }) as const

    /** Answers in their order, each once; afterwards everything goes well. */
    function aBusyServer(answers: { prepare?: string[]; complete?: string[] }) {
      const [early, late] = [[...(answers.prepare ?? [])], [...(answers.complete ?? [])]]
      const { prepare, complete } = aServer()
      const counts = { prepared: 0, completed: 0 }
      const server = aServer({
        async prepare(certificate) {
          counts.prepared += 1
          const code = early.shift()
          return code ? refusal(code) : prepare(certificate)
        },
        async complete(id, signature) {
          counts.completed += 1
          const code = late.shift()
          return code ? refusal(code) : complete(id, signature)
        },
      })
      return { server, counts }
    }

    test.each([
      [{ complete: ['preparation-superseded'] }, [2, 2]],
      [{ complete: ['preparation-expired'] }, [2, 2]],
      [{ complete: ['stale-version'] }, [2, 2]],
      [{ prepare: ['someone-signing', 'someone-signing'] }, [3, 1]],
      [{ prepare: ['stale-version', 'someone-signing', 'stale-version'] }, [4, 1]],
    ])('%j: it is prepared again with the key still open', async (answers, counted) => {
      const { server, counts } = aBusyServer(answers)
      expect(await signHere(aTask(server, { timing: aTiming() }))).toEqual({ kind: 'signed' })
      expect([counts.prepared, counts.completed]).toEqual(counted)
    })

    test('waiting is shown, and pauses differ between pages', async () => {
      const { server } = aBusyServer({ prepare: ['someone-signing', 'someone-signing'] })
      const steps: SigningStep[] = []
      const timing = aTiming()
      await signHere(aTask(server, { timing, onStep: (step) => steps.push(step) }))
      expect(steps.join(' ')).toBe(
        'opening preparing waiting preparing waiting preparing signing storing signed',
      )
      expect(timing.pauses.every((pause) => pause >= 300 && pause <= 1200)).toBe(true)
      expect(new Set(timing.pauses).size).toBe(2)
    })

    test('a document that really changed is refused, and never signed', async () => {
      const many = Array.from({ length: 9 }, () => 'stale-version')
      const { server, counts } = aBusyServer({ prepare: many })
      const outcome = await signHere(aTask(server, { timing: aTiming() }))
      expect(outcome).toEqual(refusal('stale-version'))
      expect([counts.prepared, counts.completed]).toEqual([3, 0])
    })

    test('waiting ends after three minutes', async () => {
      const { server } = aBusyServer({
        prepare: Array.from({ length: 900 }, () => 'someone-signing'),
      })
      const timing = aTiming()
      const task = aTask(server, { timing })
      expect(await signHere(task)).toEqual(refusal('someone-signing'))
      expect(timing.now()).toBeGreaterThanOrEqual(180_000)
      expect(timing.now()).toBeLessThan(182_000)
      expect(task.key.every((byte) => byte === 0)).toBe(true)
    })

    test('stopping the wait signs nothing', async () => {
      const { server, counts } = aBusyServer({ prepare: ['someone-signing'] })
      const stop = new AbortController()
      const onStep = (step: SigningStep) => step === 'waiting' && stop.abort()
      const outcome = await signHere(aTask(server, { stop: stop.signal, onStep }))
      expect(outcome).toEqual({ kind: 'stopped' })
      expect([counts.prepared, counts.completed]).toEqual([1, 0])
    })
  })

  test('a refusal of the server is shown as its sentence', async () => {
    const refusal = { kind: 'refused', sentence: 'El documento cambió.' } as const
    const early = aServer({ prepare: async () => refusal })
    const late = aServer({ complete: async () => refusal })
    expect(await signHere(aTask(early))).toEqual(refusal)
    expect(await signHere(aTask(late))).toEqual(refusal)
  })
})

describe('signing in the page with a PKCS#12 file', () => {
  const none = { certificate: new Uint8Array(), key: new Uint8Array() }

  test.each([
    ['of today', []],
    ['of Windows', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
  ])('%s: its certificate is sent and its key signs, and the file is wiped', async (_, options) => {
    const server = aServer()
    const steps: SigningStep[] = []
    const pkcs12 = new Uint8Array(pkcs12Of([efirma], options))
    const onStep = (step: SigningStep) => steps.push(step)
    expect(await signHere(aTask(server, { ...none, pkcs12, onStep }))).toEqual({ kind: 'signed' })
    expect(steps).toEqual(['opening', 'preparing', 'signing', 'storing', 'signed'])
    expect(pkcs12.every((byte) => byte === 0)).toBe(true)
    const key = createPublicKey(efirma.keyPair.privateKey)
    expect(verify('sha256', toBeSigned, key, server.calls.signature!)).toBe(true)
    expect(server.calls.certificate).toEqual(new Uint8Array(efirma.cer))
  })

  test('problems are shown under their field before any request', async () => {
    const file = () => new Uint8Array(pkcs12Of([efirma]))
    const flipped = file().map((byte, at) => (at === 900 ? byte ^ 1 : byte))
    const cases: [Partial<SigningTask>, string, RegExp][] = [
      [{ password: 'otra' }, 'password', /La contraseña no corresponde/],
      [{ pkcs12: flipped }, 'password', /La contraseña no corresponde/],
      [{ pkcs12: efirma.cer.slice() }, 'pkcs12', /no es un PKCS#12/],
      [{ rfc: 'CACX7605101P8' }, 'pkcs12', /pertenece a otra persona/],
      [{ now: after(TEST_NOW, days(20 * 365)) }, 'pkcs12', /venció/],
      [{ certificate: efirma.cer }, 'pkcs12', /no ambas cosas/],
    ]
    for (const [changes, field, sentence] of cases) {
      const server = aServer()
      const task = aTask(server, { ...none, pkcs12: file(), ...changes })
      const refusal = { kind: 'refused', field, sentence: expect.stringMatching(sentence) }
      expect(await signHere(task)).toEqual(refusal)
      expect(server.calls).toEqual({})
      expect(task.pkcs12?.every((byte) => byte === 0)).toBe(true)
    }
  })

  test('the usable one of several pairs is used', async () => {
    const expired = await testEfirma({
      notBefore: parseInstant('2020-01-01T00:00:00Z'),
      notAfter: parseInstant('2024-01-01T00:00:00Z'),
    })
    const server = aServer()
    const pkcs12 = new Uint8Array(pkcs12Of([expired, efirma]))
    expect(await signHere(aTask(server, { ...none, pkcs12 }))).toEqual({ kind: 'signed' })
    expect(server.calls.certificate).toEqual(new Uint8Array(efirma.cer))
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
  expect(noteOnPkcs12(pkcs12Of([efirma]))).toMatchObject({ isGood: true })
  expect(noteOnPkcs12(efirma.key)).toMatchObject({ isGood: false })
  expect(noteOnPkcs12(Buffer.from('%PDF-1.7'))).toMatchObject({ isGood: false })
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
      [
        '/documento/sign/prepare',
        { csrf: 'token', version: '3', certificate: 'AQI=', unread: 'ask' },
      ],
      ['/documento/sign/complete', { csrf: 'token', preparedId: '1', signature: 'CQ==' }],
    ])
  })

  test('the reason comes with the sentence', async () => {
    const refusal = { kind: 'refused', sentence: 'Su sesión ha expirado.', code: 'not-signed-in' }
    const server = answering(Response.json(refusal, { status: 401 }))
    expect(await server.complete('1', new Uint8Array())).toEqual(refusal)
  })

  test('the next page to read comes with the question about unread ones', async () => {
    const refusal = { kind: 'refused', sentence: 'Falta leer.', code: 'pages-unread', page: '4' }
    const server = answering(Response.json(refusal, { status: 409 }))
    expect(await server.prepare(new Uint8Array())).toEqual(refusal)
  })

  test('a lost connection has a reason of its own', async () => {
    const lost = await answering(new TypeError('fetch failed')).prepare(new Uint8Array())
    expect(lost).toMatchObject({ kind: 'refused', code: 'no-connection' })
  })

  test('batch: the answer for one document says no more than its result', async () => {
    const sent: URLSearchParams[] = []
    const server = signingServerAt('/documento/sign', { ...form, batch: true }, async (_, init) => {
      sent.push(init?.body as URLSearchParams)
      return Response.json({ kind: 'completed' })
    })
    await server.complete('1', Uint8Array.of(9))
    expect([...(sent[0]?.keys() ?? [])]).toEqual(['csrf', 'preparedId', 'signature', 'batch'])
  })

  const broken = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"kind"'))
          controller.error(new TypeError('network error'))
        },
      }),
    )

  test.each([
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['half of an answer', broken],
    ['a proxy that does not reach the server', () => new Response('<html>', { status: 502 })],
  ])('a completion is asked for again after %s, and told once it is known', async (_, lost) => {
    const answers = [lost, lost, () => Response.json({ kind: 'completed' })]
    const sent: string[] = []
    const server = signingServerAt('/documento/sign', form, async (_url, init) => {
      sent.push(String(init?.body))
      return (await answers.shift()?.()) ?? Response.error()
    })
    expect(await server.complete('1', Uint8Array.of(9))).toEqual({ kind: 'completed' })
    expect(sent).toHaveLength(3)
    expect(new Set(sent).size).toBe(1)
  })

  const page = (status: number) => () => new Response('<html>', { status })
  const says = (answer: object, status: number) => () => Response.json(answer, { status })
  const refusal = says({ kind: 'refused', sentence: 'No.', code: 'preparation-expired' }, 409)
  const stored = says({ kind: 'completed' }, 200)

  /** A server with these answers in order, and the calls that it got. */
  function answeringOne(...answers: (() => Response)[]) {
    const asked: string[] = []
    const server = signingServerAt('/documento/sign', form, async (url, init) => {
      const { preparedId = '' } = Object.fromEntries(init?.body as URLSearchParams)
      asked.push(`${String(url).split('/').at(-1)} ${preparedId}`.trim())
      return answers.shift()?.() ?? Response.error()
    })
    return { server, asked }
  }

  test.each([
    ['three lost answers', [page(502), page(503), page(504)]],
    ['an answer that says nothing', [page(500)]],
    ['an answer of something else', [says({ kind: 'toast' }, 200)]],
  ])('after %s the result is unknown', async (_, answers) => {
    const { server, asked } = answeringOne(...answers)
    const outcome = await server.complete('1', Uint8Array.of(9))
    expect(outcome).toMatchObject({ kind: 'refused', code: 'completion-lost' })
    expect(outcome).toMatchObject({ sentence: expect.stringMatching(/No se sabe si la firma/) })
    expect(asked).toHaveLength(answers.length)
  })

  test('a retry first reports the stored signature', async () => {
    const { server, asked } = answeringOne(page(502), page(502), page(502), stored)
    await server.complete('1', Uint8Array.of(9))
    expect(await server.prepare(new Uint8Array())).toEqual({ kind: 'completed' })
    expect(asked.at(-1)).toBe('complete 1')
  })

  test('a retry prepares again only if the server says that nothing was stored', async () => {
    const lost = [page(502), page(502), page(502)]
    const { server, asked } = answeringOne(...lost, ...lost, refusal, page(502))
    await server.complete('1', Uint8Array.of(9))
    const still = await server.prepare(new Uint8Array())
    expect(still).toMatchObject({ code: 'completion-lost' })
    expect(await server.prepare(new Uint8Array())).toMatchObject({ code: 'no-connection' })
    expect(asked.slice(6)).toEqual(['complete 1', 'prepare'])
  })

  test('a refusal is known, and not asked for again', async () => {
    const { server, asked } = answeringOne(refusal)
    expect(await server.complete('1', Uint8Array.of(9))).toMatchObject({ sentence: 'No.' })
    expect(asked).toEqual(['complete 1'])
  })

  test.each([
    ['no connection', new TypeError('fetch failed'), /conexión/],
    ['a page instead of an answer', new Response('<html>'), /inesperado/],
    ['nothing that we know', Response.json({ kind: 'toast' }), /inesperado/],
    ['a refusal', Response.json({ kind: 'refused', sentence: 'No.' }, { status: 409 }), /^No\.$/],
  ])('%s is a sentence', async (_, answer, sentence) => {
    expect(await answering(answer).prepare(new Uint8Array())).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(sentence),
    })
  })
})
