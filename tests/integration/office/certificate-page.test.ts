import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertSignature } from '#server/db/documents/signatures.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { replaceRevocationAnswer } from '#server/db/trust/revocation-answers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { User } from '#server/domain/identity/user.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { after, seconds } from '#server/domain/time.ts'
import { certificateFactsOf } from '#server/domain/trust/certificate-facts.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { openCertificate } from '#server/features/certificates/open-certificate.ts'
import {
  ReadCertificate,
  readCertificate as readPage,
} from '#server/features/certificates/read-certificate.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { readyTrust, testTrust } from '#tests/support/office/signing-system.ts'
import { aDocument, someReport } from '#tests/support/pdf/signed-document.ts'
import { anyPdf, onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

beforeAll(readyTrust)

/** A real e.firma of a user of a new office, as it is kept. */
async function aHeldEfirma({ db }: TestSystem, isExternal = false) {
  const office = await storedOffice(db)
  const user = await storedUser(db, office, ['CLERK'], { rfc: 'MULA800101AB1' })
  const { cer } = await testEfirma()
  const certificate = heldCertificateOf(readCertificate(cer), {
    ...{ id: CertificateId.parse(randomUUID()), officeId: office.id, at: MORNING },
    ...{ userId: isExternal ? null : user.id, isForTesting: true },
  })
  await db.transaction((trx) => insertCertificate(trx, certificate))
  return { office, user, certificate }
}

/** So many documents that were signed with it, the first title first. */
async function signed({ db }: TestSystem, user: User, certificate: HeldCertificate, count: number) {
  await db.transaction(async (trx) => {
    for (let index = 0; index < count; index += 1) {
      const document = aDocument(user, {
        ...{
          state: 'signed',
          title: `Acta ${index}`,
          folio: `2026-${String(index + 1).padStart(6, '0')}`,
        },
      })
      await insertDocument(trx, document)
      const signature = DocumentSignature.parse({
        ...{ id: randomUUID(), documentId: document.id, version: 2, field: 'Firma1' },
        ...{ certificateId: certificate.id, userId: user.id, signerId: null, character: null },
        // Two of a kind, so that a page may end between signatures of one time.
        ...{ method: 'browser', level: 'B-B', signedAt: after(MORNING, seconds(index >> 1)) },
      })
      await insertSignature(trx, { ...signature, report: someReport })
    }
  })
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )

onEachSystem(
  'page of a certificate',
  (current) => {
    test('the holder sees every fact, the chain and the last answer about revocation', async () => {
      const system = current()
      const { user, certificate } = await aHeldEfirma(system)
      const { issuing } = await testAuthority()
      const about = { certificate: certificate.sha256, issuer: sha256(issuing.der) }
      const answer = { status: 'good', der: Uint8Array.of(0x30, 0), fetchedAt: MORNING } as const
      await system.db.transaction((trx) =>
        replaceRevocationAnswer(trx, about, { ...answer, nextUpdate: undefined }),
      )
      const detail = await readPage(system, asPerson(user), { certificateId: certificate.id })
      expect(detail).toMatchObject({
        standing: 'in-force',
        holder: { rfc: 'MULA800101AB1', curp: 'MULA800101MDFXPN09' },
        owner: { id: user.id, name: 'Ximena Cañedo Íñiguez', hasPage: false },
        answeredAt: MORNING,
        signed: [],
        next: undefined,
      })
      expect(detail.facts.chain.kind).toBe('found')
      expect(detail.certificate).not.toHaveProperty('der')
    })

    test('the certificate of an external signer has no owner', async () => {
      const system = current()
      const { user, certificate } = await aHeldEfirma(system, true)
      const detail = await readPage(system, asPerson(user), { certificateId: certificate.id })
      expect([detail.owner, detail.holder]).toEqual([null, null])
    })

    test.each([
      ['ADMIN', true],
      ['NOTARY', true],
      ['AUDITOR', true],
      ['LAWYER', false],
      ['CLERK', false],
    ] as const)('personal data and file of others for the role %s: %s', async (role, isSeen) => {
      const system = current()
      const { office, certificate } = await aHeldEfirma(system)
      const reader = asPerson(await storedUser(system.db, office, [role as Role]))
      const asked = { certificateId: certificate.id }
      const detail = await readPage(system, reader, asked)
      expect(detail.holder !== null).toBe(isSeen)
      expect(/MULA800101/.test(JSON.stringify(detail))).toBe(isSeen)
      expect(await codeOf(openCertificate(system, reader, asked))).toBe(
        isSeen ? undefined : 'forbidden',
      )
      const refused = (await system.log()).filter(({ action }) => action === 'access.refused')
      expect(refused).toHaveLength(isSeen ? 0 : 1)
    })

    test('the file has the bytes that came; its holder gets it in any role', async () => {
      const system = current()
      const { user, certificate } = await aHeldEfirma(system)
      const opened = await openCertificate(system, asPerson(user), {
        certificateId: certificate.id,
      })
      expect(Buffer.from(opened.der).equals(certificate.der)).toBe(true)
    })

    test('another office learns nothing of it', async () => {
      const system = current()
      const { certificate } = await aHeldEfirma(system)
      const other = await storedUser(system.db, await storedOffice(system.db, { number: 13 }), [
        'ADMIN',
      ])
      for (const id of [certificate.id, CertificateId.parse(randomUUID())]) {
        const asked = { certificateId: id }
        expect(await codeOf(readPage(system, asPerson(other), asked))).toBe('not-found')
        expect(await codeOf(openCertificate(system, asPerson(other), asked))).toBe('not-found')
      }
    })

    test('45 signed documents are three pages, newest first, each on one of them', async () => {
      const system = current()
      const { office, user, certificate } = await aHeldEfirma(system)
      await signed(system, user, certificate, 45)
      const reader = asPerson(await storedUser(system.db, office, ['AUDITOR']))
      const lengths: number[] = []
      const found: { title: string; at: number }[] = []
      let behind: string | undefined
      do {
        const input = ReadCertificate.parse({ certificateId: certificate.id, behind })
        const page = await readPage(system, reader, input)
        lengths.push(page.signed.length)
        found.push(
          ...page.signed.map(({ document, signedAt: at }) => ({ title: document.title, at })),
        )
        behind = page.next
      } while (behind)
      expect(lengths).toEqual([20, 20, 5])
      expect(new Set(found.map(({ title }) => title)).size).toBe(45)
      expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((a, b) => b - a))
    })

    test('exactly 20 signed documents are one page', async () => {
      const system = current()
      const { user, certificate } = await aHeldEfirma(system)
      await signed(system, user, certificate, 20)
      const page = await readPage(system, asPerson(user), { certificateId: certificate.id })
      expect([page.signed.length, page.next]).toEqual([20, undefined])
    })
  },
  {
    trust: testTrust,
    pdf: {
      ...anyPdf,
      describeCertificate: async (der, policy) => certificateFactsOf(readCertificate(der), policy),
    },
  },
)
