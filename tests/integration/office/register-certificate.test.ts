import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { findCertificates, insertCertificate } from '#server/db/trust/certificates.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { before, days, parseInstant } from '#server/domain/time.ts'
import { INSTALLATION } from '#server/domain/trust/known-authority.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { listCertificates } from '#server/features/certificates/list-certificates.ts'
import { registerCertificate } from '#server/features/certificates/register-certificate.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { readyTrust, testTrust } from '#tests/support/office/signing-system.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

beforeAll(readyTrust)

async function aClerk({ db }: TestSystem) {
  const office = await storedOffice(db)
  const user = await storedUser(db, office, ['CLERK'], { rfc: 'MULA800101AB1' })
  return { office, user, person: asPerson(user) }
}

const added = async (system: TestSystem) =>
  (await system.log()).filter(({ action }) => action === 'certificate.added')

/** The use case overwrites the bytes that it gets. */
const copyOf = (file: Uint8Array) => ({ file: Uint8Array.from(file) })

onEachSystem(
  'registration of a certificate',
  (current) => {
    test('the own e.firma is registered once, with an event, however often it is sent', async () => {
      const system = current()
      const { user, person } = await aClerk(system)
      const { cer } = await testEfirma()
      const both = await Promise.all(
        [1, 2].map(() => registerCertificate(system, person, copyOf(cer))),
      )
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['known', 'registered'])
      const again = await registerCertificate(system, person, copyOf(cer))
      expect(again.kind).toBe('known')
      const { certificates } = await listCertificates(system, person)
      expect(certificates).toMatchObject([
        { userId: user.id, rfc: 'MULA800101AB1', kind: 'efirma-natural', provenance: 'demo' },
      ])
      const [held] = await findCertificates(
        system.db,
        certificates.map(({ id }) => id),
      ).then((found) => [...found.values()])
      expect(Buffer.from(held?.der ?? []).equals(cer)).toBe(true)
      const events = await added(system)
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({ subject: { kind: 'certificate', id: held?.id } })
    })

    test('one that the holder used as an external signer becomes theirs', async () => {
      const system = current()
      const { office, user, person } = await aClerk(system)
      const { cer } = await testEfirma()
      const external = heldCertificateOf(readCertificate(cer), {
        ...{ id: CertificateId.parse(randomUUID()), officeId: office.id, userId: null },
        ...{ at: before(MORNING, days(10)), isForTesting: true },
      })
      await system.db.transaction((trx) => insertCertificate(trx, external))
      const outcome = await registerCertificate(system, person, copyOf(cer))
      expect(outcome).toEqual({ kind: 'registered', id: external.id })
      const found = await findCertificates(system.db, [external.id])
      expect(found.get(external.id)?.userId).toBe(user.id)
      expect(await added(system)).toHaveLength(1)
    })

    test('refusals: each says why, and nothing is stored', async () => {
      const system = current()
      const { person } = await aClerk(system)
      const ended = { notBefore: parseInstant('2022-01-01T00:00:00Z') }
      const cases: [Uint8Array, RegExp][] = [
        [Buffer.from('hola'), /no es un certificado o está dañado/],
        [Buffer.from('%PDF-1.7'), /Es un documento PDF/],
        [(await testEfirma()).key, /Es una clave privada, no un certificado/],
        [(await testAuthority()).issuing.der, /de una autoridad certificadora/],
        [(await testEfirma({ kind: 'csd', branch: 'MATRIZ' })).cer, /sello digital \(CSD\)/],
        [
          (await testEfirma({ rfc: 'CACX7605101P8' })).cer,
          /es de otra persona \(RFC CACX7605101P8\)/,
        ],
        [(await testEfirma(ended)).cer, /venció el 1 de enero de 2026|venció el 31 de diciembre/],
        [forged((await testEfirma()).cer), /autoridad reconocida/],
      ]
      for (const [file, sentence] of cases) {
        const outcome = await registerCertificate(system, person, copyOf(file))
        expect(outcome).toEqual({ kind: 'refused', sentence: expect.stringMatching(sentence) })
      }
      expect((await listCertificates(system, person)).certificates).toEqual([])
      expect(await added(system)).toEqual([])
    })

    test('one that its issuer revoked is refused, with the day', async () => {
      const { person } = await aClerk(current())
      const { cer, certificate } = await testEfirma()
      const revoked = { at: before(MORNING, days(2)) }
      const der = await answerAbout(certificate, MORNING, revoked)
      const answers = async () => ({ ocsp: [{ der, source: 'fetched' as const }], crls: [] })
      const revocation = { answersTo: answers, answersAbout: answers }
      const system = { ...current(), revocation }
      expect(await registerCertificate(system, person, copyOf(cer))).toEqual({
        kind: 'refused',
        sentence: expect.stringContaining('fue revocado el 18 nov 2026'),
      })
      expect((await listCertificates(system, person)).certificates).toEqual([])
    })

    test('a private key that was chosen by mistake is overwritten in memory', async () => {
      const system = current()
      const { person } = await aClerk(system)
      const sent = copyOf((await testEfirma()).key)
      await registerCertificate(system, person, sent)
      expect(sent.file.every((octet) => octet === 0)).toBe(true)
    })
  },
  { trust: testTrust },
)

/** The signature of its issuer, with one bit changed. */
function forged(cer: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(cer)
  bytes[bytes.length - 1]! ^= 1
  return bytes
}

test('registration: the worker answers as the request thread would', async () => {
  const work = createPdfWork({ threads: 1 })
  try {
    const policy = await testTrust.policy(MORNING, INSTALLATION)
    const { cer } = await testEfirma()
    const accepted = await work.acceptCertificate(cer, 'MULA800101AB1', policy)
    expect(accepted).toMatchObject({ kind: 'accepted', forTesting: true })
    expect(accepted.kind === 'accepted' && accepted.path).toHaveLength(3)
    const refused = await work.acceptCertificate(cer, 'CACX7605101P8', policy)
    expect(refused).toMatchObject({ kind: 'refused', code: 'other-person' })
  } finally {
    await work.close()
  }
})
