import { expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import {
  aDraft,
  aScene,
  onEachSigningSystem,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

onEachSigningSystem('signing in two halves', (system) => {
  test('a draft becomes signed, and our own verifier says so', async () => {
    const { person, efirma, document } = await aScene(system())
    const signed = await signAs(system(), person, efirma, document)
    expect(signed).toEqual({ documentId: document.id, version: 2 })
    const { db } = system()
    expect(await findDocument(db, document.id)).toMatchObject({ state: 'signed', version: 2 })
    const version = await findVersion(db, document.id, 2)
    expect(version).toMatchObject({ cause: 'signed', pages: 2, signaturesBrought: 0 })
    const [signature, ...more] = await listReportedSignatures(db, document.id)
    expect(more).toEqual([])
    expect(signature).toMatchObject({
      version: 2,
      method: 'browser',
      level: 'B-B',
      userId: person.userId,
    })
    expect(signature?.report).toMatchObject({
      verdict: 'VALID',
      headline: { code: 'signed-and-intact' },
    })
    const stored = await bytesIn(system(), version!)
    expect(sha256(stored)).toBe(version!.sha256)

    expect((await system().log()).map(({ action, result }) => [action, result])).toEqual([
      ['document.uploaded', 'success'],
      ['signature.prepared', 'success'],
      ['document.signed', 'success'],
    ])
    expect((await system().log()).at(-1)).toMatchObject({
      actor: { kind: 'person', userId: person.userId },
      subject: { kind: 'document', id: document.id },
      details: { version: 2, sha256: version!.sha256, method: 'browser', field: signature!.field },
    })
  })

  test('a document that came with signatures gets no page, and they stay as good as they were', async () => {
    const scene = await aScene(system())
    const { person, efirma } = scene
    await signAs(system(), person, efirma, scene.document)
    const { db } = system()
    const signed = await findVersion(db, scene.document.id, 2)
    const content = await bytesIn(system(), signed!)
    const brought = await aDraft(system(), person, content, 'Poder que llegó firmado')
    await signAs(system(), person, efirma, brought)
    const version = await findVersion(db, brought.id, 2)
    expect(version?.pages).toBe(signed?.pages)
    const [signature] = await listReportedSignatures(db, brought.id)
    expect(signature?.report.verdict).toBe('VALID')
    expect(signature?.report.signatures).toMatchObject([
      { intact: true, valid: true, trusted: true },
      { intact: true, valid: true, trusted: true, coverage: 'ENTIRE_FILE' },
    ])
  })
})
