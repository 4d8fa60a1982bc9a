import { expect, test } from 'vitest'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import {
  findConstancia,
  insertConstanciaRequest,
  replaceConstancia,
} from '#server/db/trust/constancias.ts'
import { minutes } from '#server/domain/time.ts'
import { raiseProviderAlarm, resolveProviderAlarms } from '#server/steps/alerts/provider-alarms.ts'
import { storedConstanciaProvider } from '#tests/support/authorities/constancia-service.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { storedCeremony } from '#tests/support/office/stored-ceremony.ts'
import { aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('provider that is down', (current) => {
  test('has one alert for an outage, which is resolved for this provider alone', async () => {
    const { db, clock } = current()
    const office = await storedOffice(db)
    const { id: by } = await storedUser(db, office, ['ADMIN'])
    const [first, second] = [
      await storedConstanciaProvider(db, office.id, 'https://one.example', { name: 'Uno' }),
      await storedConstanciaProvider(db, office.id, 'https://two.example', {
        ...{ name: 'Dos', position: 2 },
      }),
    ]
    const outage = { officeId: office.id, attempts: 3, at: clock.now() }
    await db.transaction(async (trx) => {
      for (const provider of [first, second, first]) await raiseProviderAlarm(trx, provider, outage)
    })
    const states = async () =>
      (await listAlertRows(current())).map(({ facts, state, state_by }) => {
        return [JSON.parse(facts).provider, state, state_by]
      })
    expect((await states()).toSorted()).toEqual([
      ['Dos', 'open', null],
      ['Uno', 'open', null],
    ])
    await db.transaction((trx) => resolveProviderAlarms(trx, first.id, { at: clock.now(), by }))
    expect((await states()).toSorted()).toEqual([
      ['Dos', 'open', null],
      ['Uno', 'resolved', by],
    ])
  })

  test('is told again when it is down after it issued a constancia, and not while an outage lasts', async () => {
    const { db, clock } = current()
    const { office, author, document } = await storedCeremony(db)
    const provider = await storedConstanciaProvider(db, office.id, 'https://one.example')
    const outage = { officeId: office.id, attempts: 3, at: clock.now() }
    const isDown = () => db.transaction((trx) => raiseProviderAlarm(trx, provider, outage))
    /** It answers, for the first time over this version. */
    const issues = (version: number) =>
      db.transaction(async (trx) => {
        const { id: documentId, officeId } = document
        const at = clock.now()
        if (version > 1) await insertVersion(trx, aVersion(document, version))
        const { sha256 } = aVersion(document, version)
        const asked = { officeId, documentId, version, sha256, by: author.id, at }
        await insertConstanciaRequest(trx, asked)
        const seen = await findConstancia(trx, documentId, version)
        if (!seen) throw new Error('it was asked for')
        const issued = { state: 'issued', providerId: provider.id, issuedAt: at } as const
        await replaceConstancia(trx, seen, { ...seen, ...issued })
        await resolveProviderAlarms(trx, provider.id, { at, by: null })
      })
    const states = async () => (await listAlertRows(current())).map(({ state }) => state).toSorted()
    for (const version of [1, 2, 3]) {
      const resolved = Array(version - 1).fill('resolved')
      await isDown()
      await isDown()
      expect(await states()).toEqual(['open', ...resolved])
      current().wait(minutes(1))
      await issues(version)
      expect(await states()).toEqual(['resolved', ...resolved])
    }
  })
})
