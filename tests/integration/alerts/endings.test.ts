import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Sha256, UserId } from '#server/domain/ids.ts'
import { after, days, formatDay, type Instant } from '#server/domain/time.ts'
import { watchCertificates } from '#server/features/certificates/watch-certificates.ts'
import { watchCapacities } from '#server/features/users/watch-capacities.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { aCertificate } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

onEachSystem('warnings before an end', (current) => {
  test('certificate: its owner and the administrators are warned at each notice, once, also by two processes', async () => {
    const system = current()
    const notary = await aUserOf(system, ['NOTARY'])
    const end = after(system.clock.now(), days(100))
    await storeCertificate(system, notary, end)
    const told: string[] = []
    for (let day = 0; day <= 101; day += 1) {
      await Promise.all([watchCertificates(system), watchCertificates(system)])
      told.push(...(await openAlerts(system)).map(({ occasion }) => occasion))
      system.wait(days(1))
    }
    const notices = [...new Set(told)].map((occasion) => occasion.split(':').slice(2).join(':'))
    const each = [90, 60, 30, 15, 7, 1].flatMap((days) => [`owner:${days}`, `office:${days}`])
    expect(notices.toSorted()).toEqual(each.toSorted())
    expect(await openAlerts(system)).toMatchObject([
      { user_id: null, severity: 'danger' },
      { user_id: notary.id, severity: 'danger' },
    ])
  })

  test('certificate: a later notice resolves the earlier one', async () => {
    const system = current()
    const notary = await aUserOf(system, ['NOTARY'])
    await storeCertificate(system, notary, after(system.clock.now(), days(61)))
    await watchCertificates(system)
    system.wait(days(2))
    await watchCertificates(system)
    const open = await openAlerts(system)
    expect(open.map(({ occasion }) => occasion.split(':').at(-1))).toEqual(['60', '60'])
  })

  test('certificate: a newer one resolves the warning, and its owner is not warned again', async () => {
    const system = current()
    const { now } = system.clock
    const notary = await aUserOf(system, ['NOTARY'])
    await storeCertificate(system, notary, after(now(), days(20)))
    await watchCertificates(system)
    expect(await openAlerts(system)).toHaveLength(2)
    await storeCertificate(system, notary, after(now(), days(1400)))
    await watchCertificates(system)
    expect(await openAlerts(system)).toEqual([])
  })

  test('certificate: a newer one resolves the warning also after the older one ended', async () => {
    const system = current()
    const { now } = system.clock
    const notary = await aUserOf(system, ['NOTARY'])
    await storeCertificate(system, notary, after(now(), days(1)))
    await watchCertificates(system)
    system.wait(days(10))
    await storeCertificate(system, notary, after(now(), days(1400)))
    await watchCertificates(system)
    expect(await openAlerts(system)).toEqual([])
  })

  test.each<[string, Parameters<typeof aUserOf>[2], boolean]>([
    ['a suspended user', { state: 'suspended' }, true],
    ['an external signer', {}, false],
  ])('certificate: of %s warns no one', async (_, changes, isOwned) => {
    const system = current()
    const user = await aUserOf(system, ['NOTARY'], changes)
    const end = after(system.clock.now(), days(5))
    await storeCertificate(system, isOwned ? user : { ...user, id: null }, end)
    await watchCertificates(system)
    expect(await openAlerts(system)).toEqual([])
  })

  test('certificate: an administrator gets one alert about the own certificate', async () => {
    const system = current()
    const administrator = await aUserOf(system, ['ADMIN', 'NOTARY'])
    await storeCertificate(system, administrator, after(system.clock.now(), days(5)))
    await watchCertificates(system)
    expect(await openAlerts(system)).toMatchObject([{ user_id: null }])
  })

  test('capacity: its owner and the administrators are told the day', async () => {
    const system = current()
    const end = after(system.clock.now(), days(29))
    const capacity = { capacity: 'suplente', capacityTo: end }
    const notary = await aUserOf(system, ['NOTARY'], capacity)
    await watchCapacities(system)
    await watchCapacities(system)
    const open = await openAlerts(system)
    expect(open).toMatchObject([
      { user_id: null, kind: 'capacity-ending', subject_id: notary.id },
      { user_id: notary.id, kind: 'capacity-ending', severity: 'warning' },
    ])
    expect(JSON.parse(open[0]!.facts)).toEqual({ on: formatDay(end) })
  })

  test('capacity: without an end, or far from it, no one is warned', async () => {
    const system = current()
    await aUserOf(system, ['NOTARY'], { capacity: 'titular', capacityTo: null })
    const far = after(system.clock.now(), days(200))
    await aUserOf(system, ['NOTARY'], { capacity: 'suplente', capacityTo: far })
    await watchCapacities(system)
    expect(await openAlerts(system)).toEqual([])
  })

  test('resolved by hand: a warning does not come back before the next notice', async () => {
    const system = current()
    const notary = await aUserOf(system, ['NOTARY'])
    const id = await storeCertificate(system, notary, after(system.clock.now(), days(12)))
    await watchCertificates(system)
    const seen = { at: system.clock.now(), by: notary.id }
    await system.db.transaction((trx) =>
      resolveAlertsAbout(trx, matters.certificateEnding(id), seen),
    )
    system.wait(days(1))
    await watchCertificates(system)
    expect(await openAlerts(system)).toEqual([])
    system.wait(days(5))
    await watchCertificates(system)
    expect(await openAlerts(system)).toHaveLength(2)
  })
})

let offices = 100

async function aUserOf(system: TestSystem, roles: Role[], changes = {}): Promise<User> {
  offices += 1
  return await storedUser(
    system.db,
    await storedOffice(system.db, { number: offices }),
    roles,
    changes,
  )
}

/** @param owner its id is null for an external signer */
async function storeCertificate(
  { db }: TestSystem,
  { id: userId, ...owner }: Omit<User, 'id'> & { id: User['id'] | null },
  notAfter: Instant,
) {
  const { id, sha256, ...rest } = aCertificate({ ...owner, id: UserId.parse(randomUUID()) })
  const unlike = Sha256.parse(createHash('sha256').update(id).digest('hex'))
  const certificate = { ...rest, id, sha256: unlike, userId, notAfter }
  return (await db.transaction((trx) => insertCertificate(trx, certificate))).id
}

/** Those of the administrators first. */
async function openAlerts({ db }: TestSystem) {
  const rows = await db
    .selectFrom('alerts')
    .select(['occasion', 'user_id', 'kind', 'severity', 'subject_id', 'facts'])
    .where('state', '=', 'open')
    .execute()
  return rows.toSorted((a, b) => Number(a.user_id !== null) - Number(b.user_id !== null))
}
