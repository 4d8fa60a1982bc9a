import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { insertSignature } from '#server/db/documents/signatures.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { findSignedCharacters } from '#server/steps/signing/find-signed-characters.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import {
  aCertificate,
  aSignedDocument,
  aVersion,
  someReport,
} from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const BUYER = { kind: 'declared', texts: ['Comprador'] } as const
const SELLER = { kind: 'declared', texts: ['Vendedora'] } as const

/** A document with a notarial signature in Firma1, and one of an earlier release, which stored no character, in Firma2. */
async function anOlderSignature(
  { db }: TestSystem,
  asked: object | null,
  own: object | null = null,
) {
  const scene = await aSignedDocument(db)
  const session = aSession(scene.author, { state: 'completed' })
  const signer = asked && aSigner(session, 1, { character: asked })
  const certificate = aCertificate(scene.author)
  const signature = DocumentSignature.parse({
    ...{ id: randomUUID(), documentId: scene.document.id, version: 3, field: 'Firma2' },
    ...{ certificateId: certificate.id, userId: null, signerId: signer?.id ?? null },
    ...{ character: own, method: 'browser', level: 'B-B', signedAt: 0 },
  } satisfies Record<keyof DocumentSignature, unknown>)
  const held = { completedVersion: null, baseVersion: 1, fields: [] }
  await db.transaction(async (trx) => {
    await insertSigningSession(trx, session, [{ ...held, id: scene.document.id }])
    if (signer) await insertSigners(trx, [signer])
    await insertCertificate(trx, certificate)
    await insertVersion(trx, aVersion(scene.document, 3))
    await insertSignature(trx, { ...signature, report: someReport })
  })
  const characters = await findSignedCharacters(db, scene.document.id)
  const at = (field: string, sha256: Sha256 | undefined) =>
    characters({ field, signer: (sha256 && { sha256 }) as never })
  return { at, first: scene.certificate.sha256, second: certificate.sha256 }
}

onEachSystem('characters of signatures', (current) => {
  test('each signature has its own, found by its field and certificate together', async () => {
    const { at, first, second } = await anOlderSignature(current(), BUYER)
    expect(at('Firma1', first)).toEqual({ kind: 'notarial', capacity: 'titular' })
    expect(at('Firma2', second)).toEqual(BUYER)
    expect(at('Firma1', second)).toBeUndefined()
    expect(at('Firma2', first)).toBeUndefined()
    expect(at('Firma2', undefined)).toBeUndefined()
  })

  test('the character that was stored with the signature counts, not the one asked of the signer', async () => {
    const { at, second } = await anOlderSignature(current(), BUYER, SELLER)
    expect(at('Firma2', second)).toEqual(SELLER)
  })

  test.each([
    ['their office', { kind: 'office' }],
    ['a text that cannot be signed with', { kind: 'refused', text: 'x'.repeat(500) }],
    ['no session', null],
  ])('an older signature by %s has none', async (_, asked) => {
    const { at, second } = await anOlderSignature(current(), asked)
    expect(at('Firma2', second)).toBeUndefined()
  })
})
