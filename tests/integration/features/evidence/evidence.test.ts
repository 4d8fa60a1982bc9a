import { X509Certificate } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import {
  findConstancia,
  insertConstanciaRequest,
  replaceConstancia,
} from '#server/db/trust/constancias.ts'
import { originalStringOf } from '#server/domain/signing/evidence-sheet-facts.ts'
import { readEvidence } from '#server/features/evidence/read-evidence.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { judge } from '#tests/support/judges.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'

const openssl = judge('openssl')

onEachSigningSystem('the evidence of a document', (system) => {
  test('equals the text in its file, and openssl verifies the seal over it', async () => {
    const scene = await aScene(system())
    const { person, efirma, document, office } = scene
    await signAs(system(), person, efirma, document)
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect(facts).toMatchObject({
      office: { name: office.name, zone: office.timeZone },
      folio: document.folio,
      kind: 'Poder',
      title: document.title,
      publicAddress: { code: document.verificationCode },
      constancia: { kind: 'none' },
      documentTimestamps: [],
    })
    expect(facts.originalSha256).not.toBe(facts.finalSha256)
    const [signature, ...more] = facts.signatures
    expect(more).toEqual([])
    expect(signature).toMatchObject({
      name: 'ANA MARÍA MUÑOZ LÓPEZ',
      character: { kind: 'notarial', capacity: 'titular' },
      rfc: 'MULA800101AB1',
      format: 'PAdES B-B, campo “Firma1”',
      result: 'Firma válida, de prueba',
      claimedTime: system().clock.now(),
      provenTime: null,
    })

    const { values } = signature!
    const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-evidence-'))
    const file = (name: string, content: Uint8Array | string) => {
      writeFileSync(path.join(folder, name), content)
      return path.join(folder, name)
    }
    const key = new X509Certificate(efirma.cer).publicKey
    const { output } = openssl(
      ...['pkeyutl', '-verify', '-pubin', '-pkeyopt', 'digest:sha256'],
      ...['-inkey', file('key.pem', key.export({ type: 'spki', format: 'pem' }))],
      ...['-in', file('digest', Buffer.from(values!.signedAttributesDigest, 'hex'))],
      ...['-sigfile', file('seal', Buffer.from(values!.signature, 'base64'))],
    )
    expect(output).toContain('Signature Verified Successfully')
    expect(originalStringOf(facts, { ...signature!, values: values! })).toContain(
      values!.signedAttributesDigest,
    )
  })

  test('goes out with a line in the log', async () => {
    const { person, efirma, document } = await aScene(system())
    await signAs(system(), person, efirma, document)
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'document.downloaded',
      subject: { kind: 'document', id: document.id },
      details: { version: 2, sha256: facts.finalSha256, file: 'evidence' },
    })
  })

  test('says how it stands with the constancia over the file', async () => {
    const { person, efirma, document, office } = await aScene(system())
    await signAs(system(), person, efirma, document)
    const read = async () =>
      (await readEvidence(system(), person, { documentId: document.id })).facts.constancia
    const at = system().clock.now()
    const [version] = await listVersions(system().db, document.id)
    const about = {
      officeId: office.id,
      documentId: document.id,
      version: 2,
      by: person.userId,
      at,
    }
    await system().db.transaction(async (trx) => {
      await insertConstanciaRequest(trx, { ...about, sha256: version!.sha256 })
      await appendEvent(trx, {
        actor: person,
        at,
        action: 'constancia.requested',
        subject: { kind: 'document', id: document.id },
      })
    })
    expect(await read()).toEqual({ kind: 'pending' })

    const asked = (await findConstancia(system().db, document.id, 2))!
    const policy = '2.16.484.101.10.316.2.1.1.2.1'
    const issued = { state: 'issued', time: at, policy, authority: 'Prestador' } as const
    await system().db.transaction(async (trx) => {
      await replaceConstancia(trx, asked, { ...asked, ...issued, nextAttemptAt: null })
      await appendEvent(trx, {
        actor: person,
        at,
        action: 'constancia.issued',
        subject: { kind: 'document', id: document.id },
      })
    })
    expect(await read()).toEqual({ kind: 'issued', time: at, policy, authority: 'Prestador' })
  })

  test('does not exist before the first signature, nor for another office', async () => {
    const { person, efirma, document } = await aScene(system())
    const wanted = { documentId: document.id }
    const NOT_FOUND = { code: 'not-found' }
    await expect(readEvidence(system(), person, wanted)).rejects.toMatchObject(NOT_FOUND)
    await signAs(system(), person, efirma, document)
    const stranger = asPerson(
      await storedUser(system().db, await storedOffice(system().db, { number: 99 }), ['NOTARY']),
    )
    await expect(readEvidence(system(), stranger, wanted)).rejects.toMatchObject(NOT_FOUND)
  })
})
