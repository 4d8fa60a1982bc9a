import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { replaceRevocationAnswer } from '#server/db/trust/revocation-answers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { before, days, hours } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { checkRevocation } from '#server/features/certificates/check-revocation.ts'
import { watchRevocation } from '#server/features/certificates/watch-revocation.ts'
import type { RevocationSource } from '#server/ports/revocation-source.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { readyTrust, testTrust } from '#tests/support/office/signing-system.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

beforeAll(readyTrust)

/** A user with an e.firma that the office holds. */
async function aHolder(system: TestSystem, roles: Role[] = ['NOTARY']) {
  const { db } = system
  const office = await storedOffice(db)
  const user = await storedUser(db, office, roles, { rfc: 'MULA800101AB1' })
  const { certificate } = await testEfirma()
  const held = heldCertificateOf(certificate, {
    ...{ id: CertificateId.parse(randomUUID()), officeId: office.id, userId: user.id },
    ...{ at: before(MORNING, days(10)), isForTesting: true },
  })
  await db.transaction((trx) => insertCertificate(trx, held))
  return { user, person: asPerson(user), held, certificate }
}

/** The issuer, which answers with this status or not at all; keeps its answer as the source does. */
function issuer(system: TestSystem, certificate: Certificate, status: 'good' | 'revoked' | null) {
  let questions = 0
  const answersAbout: RevocationSource['answersAbout'] = async () => {
    questions += 1
    if (status === null) return { ocsp: [], crls: [] }
    const at = system.clock.now()
    const revoked = { at: before(MORNING, days(2)) }
    const der = await answerAbout(certificate, at, status === 'good' ? 'good' : revoked)
    const { issuing } = await testAuthority()
    const about = { certificate: sha256(certificate.der), issuer: sha256(issuing.der) }
    await system.db.transaction((trx) =>
      replaceRevocationAnswer(trx, about, { status, der, fetchedAt: at, nextUpdate: undefined }),
    )
    return { ocsp: [{ der, source: 'fetched' }], crls: [] }
  }
  const revocation = { answersTo: answersAbout as never, answersAbout }
  return { asking: { ...system, revocation }, questions: () => questions }
}

const alerts = ({ db }: TestSystem) =>
  db
    .selectFrom('alerts')
    .select(['kind', 'user_id', 'severity', 'facts'])
    .orderBy('user_id', (order) => order.asc().nullsFirst())
    .execute()

onEachSystem(
  'revocation of a certificate',
  (current) => {
    test.each([
      ['good', 'good'],
      ['revoked', 'revoked'],
      [null, 'unanswered'],
    ] as const)(
      'issuer that is asked from the page and answers %s: the page says %s',
      async (status, expected) => {
        const system = current()
        const { person, held, certificate } = await aHolder(system)
        const { asking } = issuer(system, certificate, status)
        const asked = checkRevocation(asking, person, { certificateId: held.id })
        expect(await asked).toBe(expected)
      },
    )

    test('issuer that answered long ago and is down now: is unanswered', async () => {
      const system = current()
      const { person, held, certificate } = await aHolder(system)
      const ask = (status: 'good' | null) =>
        checkRevocation(issuer(system, certificate, status).asking, person, {
          certificateId: held.id,
        })
      expect(await ask('good')).toBe('good')
      system.wait(hours(2))
      expect(await ask(null)).toBe('unanswered')
    })

    test('issuer: is asked once a day, and each hour while it does not answer', async () => {
      const system = current()
      const { certificate } = await aHolder(system)
      const good = issuer(system, certificate, 'good')
      for (let hour = 0; hour < 48; hour += 1) {
        await watchRevocation(good.asking)
        system.wait(hours(1))
      }
      expect(good.questions()).toBe(2)
      system.wait(days(1))
      const silent = issuer(system, certificate, null)
      for (let hour = 0; hour < 3; hour += 1) {
        await watchRevocation(silent.asking)
        system.wait(hours(1))
      }
      expect(silent.questions()).toBe(3)
      expect(await alerts(system)).toEqual([])
    })

    test('certificate that was revoked: its holder and the administrators are alerted, once', async () => {
      const system = current()
      const { user, held, certificate } = await aHolder(system)
      const { asking } = issuer(system, certificate, 'revoked')
      await Promise.all([watchRevocation(asking), watchRevocation(asking)])
      system.wait(days(2))
      await watchRevocation(asking)
      const raised = await alerts(system)
      const kind = { kind: 'certificate-revoked', severity: 'danger' }
      expect(raised).toMatchObject([
        { ...kind, user_id: null },
        { ...kind, user_id: user.id },
      ])
      expect(JSON.parse(raised[0]?.facts ?? '')).toEqual({
        ...{ number: held.number, certificate: held.id },
      })
    })

    test('certificate of an administrator: one alert, of the office', async () => {
      const system = current()
      const { certificate } = await aHolder(system, ['ADMIN', 'NOTARY'])
      await watchRevocation(issuer(system, certificate, 'revoked').asking)
      expect(await alerts(system)).toMatchObject([{ user_id: null }])
    })

    test('server that stops: asks no further issuer', async () => {
      const system = current()
      const { certificate } = await aHolder(system)
      const { asking, questions } = issuer(system, certificate, 'good')
      await watchRevocation(asking, AbortSignal.abort())
      expect(questions()).toBe(0)
    })
  },
  { trust: testTrust },
)
