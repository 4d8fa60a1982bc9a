import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createRevocationSource } from '#server/adapters/revocation-source.ts'
import { findVersion } from '#server/db/documents/document-versions.ts'
import {
  listRevocationAnswers,
  replaceRevocationAnswer,
} from '#server/db/trust/revocation-answers.ts'
import { answerOcsp } from '#server/demo/ocsp-responder.ts'
import { type DemoService, mintOcspResponder } from '#server/demo/service-certificates.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { before, days, seconds } from '#server/domain/time.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { verifyUpload } from '#server/features/verification/verify-upload.ts'
import type { System } from '#server/system.ts'
import { testAuthority } from '#tests/support/authorities/test-authority.ts'
import { MORNING, stranger } from '#tests/support/builders.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

let responder: DemoService
beforeAll(async () => {
  responder = await mintOcspResponder(await testAuthority(), before(MORNING, days(30)))
})

/** The test authority answers on this machine; no certificate is revoked until a test revokes it. */
async function anAuthority() {
  const { issuing } = await testAuthority()
  const revoked = new Map<string, { at: typeof MORNING; reason: number }>()
  const state = { isDown: false, asked: 0 }
  let now = () => MORNING
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    state.asked += 1
    if (state.isDown) return response.destroy()
    const answer = answerOcsp(Buffer.concat(chunks), { issuer: issuing, responder, revoked }, now())
    return response.writeHead(200, { 'Content-Type': 'application/ocsp-response' }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    address,
    state,
    revoke: (serial: string) => revoked.set(serial, { at: before(MORNING, days(1)), reason: 1 }),
    follow: (system: TestSystem) => {
      now = system.clock.now
    },
  }
}

type Demand = 'required' | 'when-available'

/** The same system, as a process that asks the authority. */
async function asking(
  system: TestSystem,
  authority: Awaited<ReturnType<typeof anAuthority>>,
  revocation: Demand = 'when-available',
): Promise<System> {
  authority.follow(system)
  const { db, clock, trust } = system
  const source = createRevocationSource({
    networks: outgoingNetworks([]),
    clock,
    patience: seconds(2),
    memory: {
      list: (key) => listRevocationAnswers(db, key),
      keep: (key, answer) => db.transaction((trx) => replaceRevocationAnswer(trx, key, answer)),
    },
  })
  return {
    ...system,
    trust: {
      ...trust,
      async policy(at, scope) {
        const policy = await trust.policy(at, scope)
        const anchors = policy.anchors.map((anchor) => ({
          ...anchor,
          revocation,
          ocsp: [authority.address],
        }))
        return { ...policy, anchors }
      },
      fingerprint: async (scope) => `${await trust.fingerprint(scope)} ${revocation}`,
    },
    revocation: source,
    publicRevocation: source,
  }
}

async function reportOf(system: System, id: string) {
  const outcome = await readVerification(system, stranger(), { id })
  if (outcome.kind !== 'found') throw new Error('not found')
  return outcome.report
}

onEachSigningSystem('revocation of signers', (current) => {
  test('a report states the answer of the authority, and another process does not ask again', async () => {
    const authority = await anAuthority()
    const system = await asking(current(), authority)
    const scene = await aScene(current())
    await signAs(system, scene.person, scene.efirma, scene.document)
    expect(authority.state.asked).toBe(1)
    authority.state.isDown = true
    const report = await reportOf(await asking(current(), authority), scene.document.id)
    expect(report.verdict).toBe('VALID')
    expect(report.signatures[0]?.revocation).toMatchObject({ status: 'good', source: 'ocsp' })
    expect(authority.state.asked).toBe(1)
  })

  test('a certificate that was revoked does not sign', async () => {
    const authority = await anAuthority()
    const system = await asking(current(), authority)
    const scene = await aScene(current())
    authority.revoke(scene.efirma.certificate.serial)
    const outcome = await prepareSignature(system, scene.person, {
      documentId: scene.document.id,
      version: scene.document.version,
      certificate: scene.efirma.cer,
    })
    expect(outcome).toMatchObject({ kind: 'refused', code: 'certificate-revoked' })
    expect(outcome.kind === 'refused' && outcome.sentence).toContain('fue revocado el')
    expect((await current().log()).at(-1)).toMatchObject({
      action: 'signature.refused',
      details: { code: 'certificate-revoked' },
    })
  })

  test('a signature whose certificate was revoked is said to be, here and in a stranger’s hands', async () => {
    const authority = await anAuthority()
    const scene = await aScene(current())
    await signAs(current(), scene.person, scene.efirma, scene.document)
    authority.revoke(scene.efirma.certificate.serial)
    const system = await asking(current(), authority)
    const report = await reportOf(system, scene.document.id)
    expect(report.verdict).not.toBe('VALID')
    expect(report.signatures[0]?.revocation).toMatchObject({ status: 'revoked', source: 'ocsp' })

    const signed = await findVersion(system.db, scene.document.id, 2)
    const content = [await bytesIn(system, signed!)]
    const upload = await verifyUpload(system, stranger(), { fileName: 'copia.pdf', content })
    expect(upload.report.verdict).not.toBe('VALID')
    expect(upload.report.signatures[0]?.revocation.status).toBe('revoked')
  })

  test.each([
    ['when-available', 'VALID', null],
    ['required', 'INDETERMINATE', 'TRY_LATER'],
  ] as const)('an authority that is down: %s is %s', async (demand, verdict, subIndication) => {
    const authority = await anAuthority()
    authority.state.isDown = true
    const system = await asking(current(), authority, demand)
    const scene = await aScene(current())
    // A signature is not lost because an authority is down.
    await signAs(system, scene.person, scene.efirma, scene.document)
    const report = await reportOf(system, scene.document.id)
    expect(report).toMatchObject({ verdict, signatures: [{ subIndication }] })
    expect(report.signatures[0]?.revocation.status).toBe('unknown')
    expect(report.signatures[0]?.warnings[0]?.code).toMatch(/^revocation-/)
  })

  test('many signatures of one person are one question', async () => {
    const authority = await anAuthority()
    const system = await asking(current(), authority)
    const scene = await aScene(current())
    const second = await aDraft(system, scene.person, undefined, 'Segundo')
    await signAs(system, scene.person, scene.efirma, scene.document)
    await signAs(system, scene.person, scene.efirma, second)
    await reportOf(system, second.id)
    expect(authority.state.asked).toBe(1)
  })
})
