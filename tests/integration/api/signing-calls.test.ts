import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { actorContext, browserContext, requestContext, systemContext } from '#app/http/context.ts'
import { answerCall } from '#app/routes/api/answer-call.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { fromBase64, toBase64 } from '#server/domain/bytes.ts'
import { assertCommitsTo } from '#server/domain/pkcs/signed-attributes.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { origin, storedUser, stranger } from '#tests/support/builders.ts'
import { anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { addUnjudged } from '#tests/support/office/session-rows.ts'
import { newAccessToken } from '#tests/support/office/sessions.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  signBytes,
} from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

/** The answer to a client with this access token. */
async function call(system: TestSystem, text: string | null, path: string, body?: unknown) {
  const context = new RouterContextProvider()
  context.set(actorContext, stranger())
  context.set(browserContext, { id: '9b2b9f52-4a1e-4f6a-bb0f-0a1a7f1f2d3c', isNew: true })
  context.set(requestContext, { id: 'request-1', nonce: '', ip: origin.ip, userAgent: 'agent' })
  context.set(systemContext, system)
  const url = new URL(`/api/v1/signing/${path}`, system.settings.publicOrigin)
  const request = new Request(url, {
    headers: {
      'Content-Type': 'application/json',
      ...(text !== null && { Authorization: `Bearer ${text}` }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const response = await answerCall({ request, url, context })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function aWaitingScene(system: TestSystem) {
  const scene = await aScene(system)
  const { person, user, document } = scene
  const second = await aDraft(system, person, undefined, 'Acta constitutiva')
  const other = await storedUser(system.db, scene.office, ['NOTARY'], {
    rfc: 'CUNI900101AB2',
    capacity: 'titular',
  })
  const asked = [user, other].map(({ id }, index) => ({
    kind: 'user' as const,
    userId: id,
    character: null,
    step: index + 1,
  }))
  const session = await anOpenSession(system, person, sessionOf([document, second], asked))
  const text = await newAccessToken(system, scene)
  return { ...scene, second, other, text, signingSessionId: session.id }
}

onEachSigningSystem('calls of signing', (current) => {
  test('an access token lists, prepares and completes the documents of its owner', async () => {
    const system = current()
    const { text, efirma, document, second } = await aWaitingScene(system)
    const turns = await call(system, text, 'turns')
    expect(turns).toMatchObject({
      status: 200,
      body: {
        name: 'Ana María Muñoz López',
        rfc: 'MULA800101AB1',
        documents: [
          { documentId: document.id, title: 'Poder notarial', version: 2, deadline: null },
          { documentId: second.id, title: 'Acta constitutiva' },
        ],
      },
    })
    const [waiting] = turns.body.documents
    const prepared = await call(system, text, `documents/${document.id}/prepare`, {
      version: waiting.version,
      certificate: toBase64(efirma.cer),
    })
    expect(prepared).toMatchObject({ status: 200, body: { documentSha256: waiting.sha256 } })
    const toBeSigned = fromBase64(prepared.body.toBeSigned)
    await assertCommitsTo(toBeSigned, {
      digest: fromBase64(prepared.body.digest),
      certificate: readCertificate(efirma.cer),
    })
    const signature = toBase64(await signBytes(efirma, toBeSigned))
    const path = `prepared/${prepared.body.preparedId}/complete`
    const completed = await call(system, text, path, { signature })
    expect(completed).toMatchObject({ status: 200, body: { documentId: document.id, version: 3 } })
    expect((await call(system, text, path, { signature })).body).toEqual(completed.body)
    const rest = await call(system, text, 'turns')
    expect(rest.body.documents).toMatchObject([{ documentId: second.id }])
    const methods = await system.db.selectFrom('signatures').select('method').execute()
    expect(methods).toEqual([{ method: 'pkcs11' }])
  })

  test('turns: more than a thousand come in pages, each document once', async () => {
    const system = current()
    const { text, document, signingSessionId } = await aWaitingScene(system)
    await addUnjudged(system, signingSessionId, document.id, 1005)
    const first = await call(system, text, 'turns')
    expect(first.body.documents).toHaveLength(1000)
    const behind = encodeURIComponent(first.body.next)
    const last = await call(system, text, `turns?behind=${behind}`)
    expect(last.body).toMatchObject({ next: null })
    const ids = [...first.body.documents, ...last.body.documents].map((one) => one.documentId)
    expect([ids.length, new Set(ids).size]).toEqual([1007, 1007])
  })

  test.each(['', '1', 'a.b.c', `1.${'0'.repeat(36)}.1`, '1.2.3.4'])(
    'turns: the cursor %j is refused',
    async (behind) => {
      const system = current()
      const { text } = await aWaitingScene(system)
      const answer = await call(system, text, `turns?behind=${behind}`)
      expect([answer.status, answer.body.errors?.behind]).toEqual([422, expect.any(Array)])
    },
  )

  test('guest: sees and signs nothing before their turn', async () => {
    const system = current()
    const { office, other, document, efirma } = await aWaitingScene(system)
    const text = await newAccessToken(system, { office, user: other })
    expect((await call(system, text, 'turns')).body.documents).toEqual([])
    const body = { version: 2, certificate: toBase64(efirma.cer) }
    const refused = await call(system, text, `documents/${document.id}/prepare`, body)
    expect(refused).toMatchObject({ status: 409, body: { code: 'not-your-turn' } })
  })

  test('e.firma of another person: refused with the sentence of the page', async () => {
    const system = current()
    const { text, document } = await aWaitingScene(system)
    const { cer } = await testEfirma({ rfc: 'CUNI900101AB2', keyPair: await newKeyPair() })
    const body = { version: 2, certificate: toBase64(cer) }
    const refused = await call(system, text, `documents/${document.id}/prepare`, body)
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'other-person', detail: expect.stringMatching(/pertenece a otra persona/) },
    })
  })

  test.each([null, '', 'rubrica_nothing', `rubrica_${'A'.repeat(43)}`])(
    'the token %j is refused',
    async (text) => {
      const { status, headers, body } = await call(current(), text, 'turns')
      const challenge = headers.get('WWW-Authenticate')
      expect([status, challenge, body.code]).toEqual([401, 'Bearer', 'not-signed-in'])
      expect(headers.getSetCookie()).toEqual([])
    },
  )

  test('a token opens no call but those of signing', async () => {
    const system = current()
    const { text } = await aWaitingScene(system)
    for (const path of ['../auth/session', '../auth/sessions'])
      expect((await call(system, text, path)).status).toBe(401)
  })

  test.each([
    [{ version: 1 }],
    [{ version: 1, certificate: 'no base64' }],
    [{ version: 0, certificate: '' }],
    [{ version: 1, certificate: '', more: 1 }],
  ])('not a preparation: %j', async (body) => {
    const system = current()
    const { text, document } = await aWaitingScene(system)
    const answer = await call(system, text, `documents/${document.id}/prepare`, body)
    expect(answer.status).toBe(422)
  })
})
