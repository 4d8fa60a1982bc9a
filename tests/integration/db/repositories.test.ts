import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { findDocument, insertDocument, replaceDocument } from '#server/db/documents/documents.ts'
import {
  endPreparedSignature,
  findLease,
  findPreparedSignature,
  insertPreparedSignature,
} from '#server/db/documents/prepared-signatures.ts'
import { findPublicDocument, listCompletedBySha256 } from '#server/db/documents/public-documents.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { findReport, replaceReport } from '#server/db/documents/verification-reports.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { findUser, insertUser, replaceUserState } from '#server/db/people/users.ts'
import { endAttempts, refundAttempt } from '#server/db/sign-ins/attempts.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { findCertificates, insertCertificate } from '#server/db/trust/certificates.ts'
import { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { SessionDocument } from '#server/domain/signing/session/ceremony.ts'
import { after, minutes, seconds } from '#server/domain/time.ts'
import { consumeAttempt } from '#server/steps/sign-ins/consume-attempt.ts'
import { aUser, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { aSession } from '#tests/support/office/session-rows.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'
import {
  aCertificate,
  aDocument,
  aSignedDocument,
  aVersion,
  someReport,
} from '#tests/support/pdf/signed-document.ts'

const PUBLIC = { officeId: undefined }

onEachDatabase('the repositories', (current) => {
  test('people, with their roles, and found by address in any case', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const user = await storedUser(
      db,
      office,
      ['ADMIN', 'NOTARY'],
      { email: 'Ana@Notaria.example' },
      'phc',
    )
    expect(await findUser(db, user.id)).toEqual(user)
    const found = await findCredentials(db, Email.parse('ANA@notaria.EXAMPLE'))
    expect(found).toEqual({ user, passwordHash: 'phc' })
  })

  test('two people cannot share an address', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const { email } = await storedUser(db, office)
    const twin = aUser(office, { email: email.toUpperCase() })
    await expect(db.transaction((trx) => insertUser(trx, twin, null))).rejects.toThrow(
      /\bunique constraint\b/i,
    )
  })

  test('a state is swapped only from the state that was seen', async () => {
    const { db } = current()
    const user = await storedUser(db, await storedOffice(db))
    const suspend = () =>
      db.transaction((trx) => replaceUserState(trx, user.id, 'active', 'suspended', MORNING))
    expect(await suspend()).toBe(true)
    expect(await suspend()).toBe(false)
  })

  test('a signed document comes back as it was', async () => {
    const { db } = current()
    const { document, signature, certificate } = await aSignedDocument(db)
    expect(await findDocument(db, document.id)).toEqual(document)
    expect(await findPublicDocument(db, { code: document.verificationCode }, PUBLIC)).toEqual(
      document,
    )
    const { sha256 } = aVersion(document, 2)
    expect(await listCompletedBySha256(db, [sha256], PUBLIC)).toEqual(
      new Map([[sha256, [document]]]),
    )
    expect(await listReportedSignatures(db, document.id)).toEqual([
      { ...signature, report: someReport },
    ])
    const held = (await findCertificates(db, [certificate.id])).get(certificate.id)
    expect(held && { ...held, der: new Uint8Array(held.der) }).toEqual(certificate)
  })

  test('complete documents with one file: 50 are listed, a signed one among them, and no draft', async () => {
    const { db } = current()
    const { author, document } = await aSignedDocument(db)
    const { sha256 } = aVersion(document, 2)
    const held: SessionDocument[] = []
    await db.transaction(async (trx) => {
      for (let index = 2; index < 72; index += 1) {
        const other = aDocument(author, {
          folio: `2026-${String(index).padStart(6, '0')}`,
          state: index < 62 ? 'signing' : 'draft',
          createdAt: after(MORNING, minutes(index)),
        })
        await insertDocument(trx, other)
        await insertVersion(trx, { ...aVersion(other), sha256, cause: 'signed' })
        if (index < 62) held.push({ id: other.id, completedVersion: 1, baseVersion: 1, fields: [] })
      }
      await insertSigningSession(trx, aSession(author), held)
    })
    const found = (await listCompletedBySha256(db, [sha256], PUBLIC)).get(sha256) ?? []
    expect(found).toHaveLength(50)
    expect(found.at(-1)).toEqual(document)
    expect(found[0]).toMatchObject({ folio: '2026-000061', state: 'signing' })
  })

  test('signatures: listed without reading their reports', async () => {
    const { db } = current()
    const { document, signature, certificate } = await aSignedDocument(db)
    await db.transaction((trx) =>
      trx
        .insertInto('signatures')
        .values({
          ...{ id: randomUUID(), document_id: document.id, version: 3, field: 'Firma2' },
          ...{ certificate_id: certificate.id, signer_id: signature.userId },
          ...{ session_signer_id: null, character: null, method: 'browser', level: 'B-B' },
          ...{ signed_at: MORNING, report: 'no JSON' },
        })
        .execute(),
    )
    const fields = (await listSignatures(db, document.id)).map(({ field }) => field)
    expect(fields).toEqual(['Firma1', 'Firma2'])
  })

  test('version: one of two writers replaces it', async () => {
    const { db } = current()
    const { document } = await aSignedDocument(db)
    const another = current().again()
    const next = { ...document, version: 3 }
    const won = await Promise.all(
      [db, another].map((own) => own.transaction((trx) => replaceDocument(trx, document, next))),
    )
    expect(won.toSorted()).toEqual([false, true])
  })

  test('a certificate is kept once an office', async () => {
    const { db } = current()
    const { author, certificate } = await aSignedDocument(db)
    const again = aCertificate(author, { sha256: certificate.sha256 })
    const kept = await db.transaction((trx) => insertCertificate(trx, again))
    expect(kept).toEqual({ id: certificate.id, isNew: false })
  })

  test('a prepared signature is a lease until it expires or is used, once', async () => {
    const { db } = current()
    const { document, author } = await aSignedDocument(db)
    const prepared = aPreparedSignature(document.id, author.id)
    await db.transaction((trx) => insertPreparedSignature(trx, prepared))

    const found = await findPreparedSignature(db, prepared.id)
    expect(found && { ...found, ...plainBytes(found) }).toEqual(prepared)
    expect((await findLease(db, document.id, after(MORNING, seconds(119))))?.id).toBe(prepared.id)
    expect(await findLease(db, document.id, after(MORNING, minutes(2)))).toBeUndefined()

    const use = () =>
      db.transaction((trx) => endPreparedSignature(trx, prepared.id, 'used', MORNING))
    expect(await use()).toBe(true)
    expect(await use()).toBe(false)
    expect(await findLease(db, document.id, MORNING)).toBeUndefined()
  })

  test.each([
    ['zeros are not stored', '0', 82, '0'],
    ['anything else is', 'a', 90, 'a'],
  ])('the /Contents of a prepared signature: %s', async (_, digit, stored, read) => {
    const { db } = current()
    const { document, author } = await aSignedDocument(db)
    const increment = (filled: string) =>
      Buffer.from(`${'x'.repeat(40)}<${filled.repeat(8)}>${'y'.repeat(40)}`)
    const prepared = {
      ...aPreparedSignature(document.id, author.id),
      increment: increment(digit),
      contents: { start: 1042, end: 1052 },
      byteRange: [0, 1042, 1052, 40] as [number, number, number, number],
    }
    await db.transaction((trx) => insertPreparedSignature(trx, prepared))
    const row = await db.selectFrom('prepared_signatures').select('increment').executeTakeFirst()
    expect(row?.increment).toHaveLength(stored)
    const found = await findPreparedSignature(db, prepared.id)
    expect(Buffer.from(found!.increment)).toEqual(increment(read))
  })

  test('the /Contents of a prepared signature: read from a row of an earlier release', async () => {
    const { db } = current()
    const { document, author } = await aSignedDocument(db)
    const increment = Buffer.from(`${'x'.repeat(40)}<00000000>${'y'.repeat(40)}`)
    const prepared = {
      ...aPreparedSignature(document.id, author.id),
      increment,
      contents: { start: 1042, end: 1052 },
      byteRange: [0, 1042, 1052, 40] as [number, number, number, number],
    }
    await db.transaction(async (trx) => {
      await insertPreparedSignature(trx, prepared)
      await trx.updateTable('prepared_signatures').set({ increment }).execute()
    })
    const found = await findPreparedSignature(db, prepared.id)
    expect(Buffer.from(found!.increment)).toEqual(increment)
  })

  test('attempts at once are all counted', async () => {
    const { db } = current()
    const policy = { free: 10, window: minutes(15) }
    const spend = (at = MORNING) => db.transaction((trx) => consumeAttempt(trx, 'key', at, policy))
    const spent = await Promise.all(Array.from({ length: 12 }, () => spend()))
    const counts = spent.flatMap((each) => (each.allowed ? [each.attempts] : []))
    expect(counts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const refused = { allowed: false, retryAfter: minutes(15) }
    const refusals = spent.filter((each) => !each.allowed)
    expect(refusals).toHaveLength(2)
    expect(refusals).toContainEqual({ ...refused, isFirstRefusal: true })
    expect(refusals).toContainEqual({ ...refused, isFirstRefusal: false })
    await db.transaction((trx) => refundAttempt(trx, 'key'))
    expect(await spend()).toEqual({ allowed: true, attempts: 10 })
    expect(await spend(after(MORNING, minutes(15)))).toEqual({ allowed: true, attempts: 1 })
    await db.transaction((trx) => endAttempts(trx, 'key'))
    expect(await spend(after(MORNING, minutes(15)))).toEqual({ allowed: true, attempts: 1 })
  })

  test('a report is found for the same bytes under the same authorities', async () => {
    const { db } = current()
    const keep = (at = MORNING) =>
      db.transaction((trx) =>
        replaceReport(trx, someReport.sha256 as never, 'trust-1', someReport, at),
      )
    await keep()
    await keep(after(MORNING, minutes(5)))
    const sha256 = someReport.sha256 as never
    const at = after(MORNING, minutes(5))
    expect(await findReport(db, sha256, 'trust-1', MORNING)).toEqual({ report: someReport, at })
    expect(await findReport(db, sha256, 'trust-2', MORNING)).toBeUndefined()
    expect(await findReport(db, sha256, 'trust-1', after(at, seconds(1)))).toBeUndefined()
  })

  test.each([
    ['with sentences', { ...someReport, headline: undefined, sentence: 'Documento íntegro.' }],
    ['with codes that were renamed since', { form: 2, report: someReport }],
  ])('verification report: a row of an older program, %s, is not found', async (_, old) => {
    const { db } = current()
    const sha256 = 'ab'.repeat(32) as never
    await db.transaction((trx) =>
      trx
        .insertInto('verification_reports')
        .values({ sha256, trust_fingerprint: 'trust-1', report: JSON.stringify(old), at: MORNING })
        .execute(),
    )
    expect(await findReport(db, sha256, 'trust-1', MORNING)).toBeUndefined()
    await db.transaction((trx) => replaceReport(trx, sha256, 'trust-1', someReport, MORNING))
    expect((await findReport(db, sha256, 'trust-1', MORNING))?.report).toEqual(someReport)
  })
})

function aPreparedSignature(documentId: string, userId: string): PreparedSignature {
  return PreparedSignature.parse({
    character: { kind: 'lawyer' },
    id: randomUUID(),
    documentId,
    version: 2,
    userId,
    signerId: null,
    certificateDer: Uint8Array.of(1),
    baseSha256: someReport.sha256,
    baseLength: 1002,
    increment: Uint8Array.of(2, 0, 255),
    contents: { start: 1100, end: 1200 },
    byteRange: [0, 1100, 1200, 50],
    digest: Uint8Array.of(3),
    signedAttributes: Uint8Array.of(4),
    fieldName: 'Firma2',
    method: 'browser',
    createdAt: MORNING,
    expiresAt: after(MORNING, minutes(2)),
    state: 'open',
    stateSince: MORNING,
  })
}

/* Both databases hand bytes over as Buffer, which equals no plain Uint8Array. */
function plainBytes({ certificateDer, increment, digest, signedAttributes }: PreparedSignature) {
  return {
    certificateDer: new Uint8Array(certificateDer),
    increment: new Uint8Array(increment),
    digest: new Uint8Array(digest),
    signedAttributes: new Uint8Array(signedAttributes),
  }
}
