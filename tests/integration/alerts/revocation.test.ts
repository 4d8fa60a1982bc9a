import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { replaceRevocationAnswer } from '#server/db/trust/revocation-answers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { before, days, hours, parseInstant } from '#server/domain/time.ts'
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
async function aHolder(system: TestSystem, roles: Role[] = ['NOTARY'], efirma = {}) {
  const { db } = system
  const office = await storedOffice(db)
  const user = await storedUser(db, office, roles, { rfc: 'MULA800101AB1' })
  const { certificate } = await testEfirma(efirma)
  const held = heldCertificateOf(certificate, {
    ...{ id: CertificateId.parse(randomUUID()), officeId: office.id, userId: user.id },
    ...{ at: before(MORNING, days(10)), isForTesting: true },
  })
  await db.transaction((trx) => insertCertificate(trx, held))
  return { user, person: asPerson(user), held, certificate }
}

type Word = 'good' | 'revoked' | 'silent' | 'too-complex'

/** A system in which the issuer says this about the certificate; proven answers are kept as the source keeps them. */
function hearing(
  system: TestSystem,
  certificate: Certificate,
  word: Word,
  revokedAt = before(MORNING, days(2)),
) {
  let questions = 0
  const answersTo: RevocationSource['answersTo'] = async () => {
    questions += 1
    if (word === 'too-complex') throw new Problem('pdf-too-complex', 'a test')
    if (word === 'silent') return { ocsp: [], crls: [] }
    const at = system.clock.now()
    const der = await answerAbout(certificate, at, word === 'good' ? 'good' : { at: revokedAt })
    const { issuing } = await testAuthority()
    const about = { certificate: sha256(certificate.der), issuer: sha256(issuing.der) }
    const status = word === 'good' ? 'good' : 'revoked'
    await system.db.transaction((trx) =>
      replaceRevocationAnswer(trx, about, { status, der, fetchedAt: at, nextUpdate: undefined }),
    )
    return { ocsp: [{ der, source: 'fetched' }], crls: [] }
  }
  const questionsAbout: TestSystem['pdf']['questionsAbout'] = async () => {
    const { issuing } = await testAuthority()
    const places = { addresses: ['http://ocsp.test'], lists: [] }
    return [
      { certificate: certificate.der, issuer: issuing.der, request: certificate.der, ...places },
    ]
  }
  const pdf = { ...system.pdf, questionsAbout }
  const revocation = { answersTo, answersAbout: answersTo as never }
  return { asking: { ...system, pdf, revocation }, questions: () => questions }
}

const alerts = ({ db }: TestSystem) =>
  db
    .selectFrom('alerts')
    .select(['kind', 'user_id', 'severity', 'facts', 'state'])
    .orderBy('user_id', (order) => order.asc().nullsFirst())
    .execute()

onEachSystem(
  'revocation of a certificate',
  (current) => {
    test.each([
      ['good', 'good'],
      ['revoked', 'revoked'],
      ['silent', 'unknown'],
    ] as const)(
      'issuer that is asked from the page, %s: the page says %s',
      async (word, expected) => {
        const system = current()
        const { person, held, certificate } = await aHolder(system)
        const { asking } = hearing(system, certificate, word)
        const { status } = await checkRevocation(asking, person, { certificateId: held.id })
        expect(status).toBe(expected)
      },
    )

    test('issuer that answered before and is down now: is unknown, whatever is kept', async () => {
      const system = current()
      const { person, held, certificate } = await aHolder(system)
      const ask = async (word: Word) =>
        await checkRevocation(hearing(system, certificate, word).asking, person, {
          certificateId: held.id,
        })
      expect(await ask('good')).toMatchObject({ status: 'good' })
      expect(await ask('silent')).toEqual({ status: 'unknown' })
    })

    test('issuer without a place to ask: is not asked', async () => {
      const system = current()
      const { person, held, certificate } = await aHolder(system)
      const { asking, questions } = hearing(system, certificate, 'good')
      const pdf = { ...asking.pdf, questionsAbout: async () => [] }
      const asked = checkRevocation({ ...asking, pdf }, person, { certificateId: held.id })
      expect(await asked).toEqual({ status: 'not-askable' })
      expect(questions()).toBe(0)
    })

    test('issuer: is asked once a day, and each hour while it does not answer', async () => {
      const system = current()
      const { certificate } = await aHolder(system)
      const askedIn = async (word: Word, times: number) => {
        const { asking, questions } = hearing(system, certificate, word)
        for (let hour = 0; hour < times; hour += 1) {
          await watchRevocation(asking)
          system.wait(hours(1))
        }
        return questions()
      }
      expect(await askedIn('good', 48)).toBe(2)
      expect(await askedIn('silent', 3)).toBe(3)
      expect(await askedIn('good', 24)).toBe(1)
      expect(await alerts(system)).toEqual([])
    })

    test('certificate that was revoked: its holder and the administrators are alerted, once', async () => {
      const system = current()
      const { user, held, certificate } = await aHolder(system)
      const { asking } = hearing(system, certificate, 'revoked')
      await Promise.all([watchRevocation(asking), watchRevocation(asking)])
      system.wait(days(2))
      await watchRevocation(asking)
      const raised = await alerts(system)
      const kind = { kind: 'certificate-revoked', severity: 'danger', state: 'open' }
      expect(raised).toMatchObject([
        { ...kind, user_id: null },
        { ...kind, user_id: user.id },
      ])
      expect(JSON.parse(raised[0]?.facts ?? '')).toEqual({
        ...{ number: held.number, certificate: held.id },
      })
    })

    test('certificate that is good again: the alert is resolved; a later revocation is another one', async () => {
      const system = current()
      const { certificate } = await aHolder(system, ['ADMIN', 'NOTARY'])
      await watchRevocation(hearing(system, certificate, 'revoked').asking)
      expect(await alerts(system)).toMatchObject([{ user_id: null, state: 'open' }])
      system.wait(days(1))
      await watchRevocation(hearing(system, certificate, 'good').asking)
      expect(await alerts(system)).toMatchObject([{ state: 'resolved' }])
      system.wait(days(1))
      await watchRevocation(hearing(system, certificate, 'revoked', MORNING).asking)
      const states = (await alerts(system)).map(({ state }) => state)
      expect(states.toSorted()).toEqual(['open', 'resolved'])
    })

    test('certificate that ended: its issuer is not asked, and no one is warned', async () => {
      const system = current()
      const ended = { notBefore: parseInstant('2022-01-01T00:00:00Z') }
      const { certificate } = await aHolder(system, ['NOTARY'], ended)
      const { asking, questions } = hearing(system, certificate, 'revoked')
      await watchRevocation(asking)
      expect(questions()).toBe(0)
      expect(await alerts(system)).toEqual([])
    })

    test('certificate whose answer takes too much: does not end the run', async () => {
      const system = current()
      const first = await aHolder(system)
      const { asking } = hearing(system, first.certificate, 'too-complex')
      await watchRevocation(asking)
      expect(await alerts(system)).toEqual([])
    })

    test('server that stops: asks no further issuer', async () => {
      const system = current()
      const { certificate } = await aHolder(system)
      const { asking, questions } = hearing(system, certificate, 'good')
      await watchRevocation(asking, AbortSignal.abort())
      expect(questions()).toBe(0)
    })
  },
  { trust: testTrust },
)
