import { expect, test } from 'vitest'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { replaceRevocationAnswer } from '#server/db/trust/revocation-answers.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, before, days } from '#server/domain/time.ts'
import {
  ListCertificates,
  listCertificates,
} from '#server/features/certificates/list-certificates.ts'
import { listEndingCertificates } from '#server/features/certificates/list-ending-certificates.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aCertificate, aSignedDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** A certificate of the user that ends so many days from now. */
async function ending({ db }: TestSystem, user: User, inDays: number): Promise<HeldCertificate> {
  const name = `${user.firstName} ${user.lastName}`.toUpperCase()
  const certificate = aCertificate(user, { name, notAfter: after(MORNING, days(inDays)) })
  await db.transaction((trx) => insertCertificate(trx, certificate))
  return certificate
}

async function revoke({ db }: TestSystem, { sha256 }: HeldCertificate): Promise<void> {
  const about = { certificate: sha256, issuer: sha256 }
  const answer = { der: Uint8Array.of(0x30, 0), fetchedAt: MORNING, nextUpdate: undefined }
  for (const status of ['revoked', 'good'] as const)
    await db.transaction((trx) => replaceRevocationAnswer(trx, about, { ...answer, status }))
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

onEachSystem('certificates of the office', (current) => {
  test('list: the standing comes from the answers at hand', async () => {
    const system = current()
    const { author, certificate } = await aSignedDocument(system.db)
    const standing = async () => {
      const { certificates } = await listCertificates(system, asPerson(author))
      return certificates.map(({ id, standing }) => ({ id, standing }))
    }
    expect(await standing()).toEqual([{ id: certificate.id, standing: 'in-force' }])
    await revoke(system, certificate)
    expect(await standing()).toEqual([{ id: certificate.id, standing: 'revoked' }])
  })

  test('list: 51 certificates that end at once are two pages, each on one of them', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const user = await storedUser(system.db, office)
    const stranger = await storedUser(system.db, await storedOffice(system.db, { number: 13 }))
    await ending(system, stranger, 10)
    const same: string[] = []
    for (let count = 0; count < 50; count += 1) same.push((await ending(system, user, 30)).id)
    const latest = await ending(system, user, 31)
    const first = await listCertificates(system, asPerson(user))
    expect(first.certificates).toHaveLength(50)
    expect(first.certificates[0]?.id).toBe(latest.id)
    const query = ListCertificates.parse({ behind: first.next })
    const second = await listCertificates(system, asPerson(user), query)
    expect(second.next).toBeUndefined()
    const shown = [...idsOf(first.certificates), ...idsOf(second.certificates)]
    expect(shown.toSorted()).toEqual([latest.id, ...same].toSorted())
  })

  test('list: exactly 50 certificates are one page', async () => {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    for (let count = 0; count < 50; count += 1) await ending(system, user, count)
    const page = await listCertificates(system, asPerson(user))
    expect([page.certificates.length, page.next]).toEqual([50, undefined])
  })

  test('search: by words of the name, RFC and number; by standing; and by both', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const own = { firstName: 'Ángela', lastName: 'Núñez', rfc: 'NUAA800101AB1' }
    const user = await storedUser(system.db, office, ['CLERK'], own)
    const other = await storedUser(system.db, office, ['NOTARY'], { rfc: 'LOPA800101AB1' })
    const over = await ending(system, user, -5)
    const soon = await ending(system, user, 30)
    const good = await ending(system, user, 400)
    const revoked = await ending(system, user, 500)
    const foreign = await ending(system, other, 401)
    await revoke(system, revoked)
    const found = async (query: ListCertificates) =>
      idsOf((await listCertificates(system, asPerson(user), query)).certificates)
    expect(await found({ text: 'nunez angela' })).toEqual(idsOf([revoked, good, soon, over]))
    expect(await found({ text: 'nuaa800101' })).toHaveLength(4)
    expect(await found({ text: `${soon.number} ángela` })).toHaveLength(4)
    expect(await found({ text: 'nadie' })).toEqual([])
    // A clerk may not see the RFC of another.
    expect(await found({ text: 'LOPA800101AB1' })).toEqual([])
    expect(await found({ standing: 'in-force' })).toEqual(idsOf([foreign, good]))
    expect(await found({ standing: 'expiring' })).toEqual([soon.id])
    expect(await found({ standing: 'expired' })).toEqual([over.id])
    expect(await found({ standing: 'revoked' })).toEqual([revoked.id])
    expect(await found({ standing: 'in-force', text: 'núñez' })).toEqual([good.id])
  })

  test('search: of 51 that match, the last is on the second page', async () => {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    for (let count = 0; count < 51; count += 1) await ending(system, user, 100 + count)
    await ending(system, user, 10)
    const first = await listCertificates(system, asPerson(user), { standing: 'in-force' })
    expect(first.certificates).toHaveLength(50)
    const query = ListCertificates.parse({ standing: 'in-force', behind: first.next })
    const second = await listCertificates(system, asPerson(user), query)
    expect([second.certificates.length, second.next]).toEqual([1, undefined])
  })

  test('list: holds neither the bytes nor the CURP', async () => {
    const system = current()
    const { author } = await aSignedDocument(system.db)
    const { certificates } = await listCertificates(system, asPerson(author))
    expect(Object.keys(certificates[0] ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:der|curp)$/)]),
    )
  })

  test.each([
    ['ADMIN', true],
    ['NOTARY', true],
    ['AUDITOR', true],
    ['LAWYER', false],
    ['CLERK', false],
  ] as const)('list: RFC of others for the role %s: %s', async (role, isSeen) => {
    const system = current()
    const { office, author, certificate } = await aSignedDocument(system.db)
    const reader = await storedUser(system.db, office, [role], { rfc: 'MULA800101AB1' })
    const own = await ending(system, reader, 2000)
    const { certificates } = await listCertificates(system, asPerson(reader))
    expect(certificates.map(({ id, rfc }) => [id, rfc])).toEqual([
      [own.id, 'MULA800101AB1'],
      [certificate.id, isSeen ? author.rfc : undefined],
    ])
  })

  test('ending: those of the next 90 days, the next to end first', async () => {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    await ending(system, user, -1)
    await ending(system, user, 91)
    const last = await ending(system, user, 90)
    const revoked = await ending(system, user, 3)
    const first = await ending(system, user, 0)
    await revoke(system, revoked)
    const shown = async (limit: number) =>
      idsOf(await listEndingCertificates(system, asPerson(user), { limit }))
    expect(await shown(7)).toEqual([first.id, last.id])
    expect(await shown(1)).toEqual([first.id])
  })

  test('ending: revoked ones, however many end before, hide none of the others', async () => {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    for (let day = 1; day <= 60; day += 1)
      await revoke(system, await ending(system, user, 1 + (day % 3)))
    const sound = [await ending(system, user, 2), await ending(system, user, 80)]
    expect(idsOf(await listEndingCertificates(system, asPerson(user), { limit: 7 }))).toEqual(
      idsOf(sound),
    )
  })

  test('ending: one that is not valid yet is left out', async () => {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    const certificate = aCertificate(user, {
      notBefore: after(MORNING, days(1)),
      notAfter: after(MORNING, days(30)),
    })
    await system.db.transaction((trx) => insertCertificate(trx, certificate))
    expect(await listEndingCertificates(system, asPerson(user), { limit: 7 })).toEqual([])
    system.wait(days(2))
    expect(before(certificate.notAfter, days(28))).toBe(system.clock.now())
    expect(await listEndingCertificates(system, asPerson(user), { limit: 7 })).toHaveLength(1)
  })
})
