import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertServiceProvider } from '#server/db/trust/service-providers.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import { after, minutes } from '#server/domain/time.ts'
import {
  placeOfProviderPassword,
  type ServiceProvider,
} from '#server/domain/timestamp/service-provider.ts'
import type { TimestampAuthority } from '#server/ports/timestamp-authorities.ts'
import { requestTimestamp } from '#server/steps/signing/request-timestamp.ts'
import { MORNING, storedOffice } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const DIGEST = new Uint8Array(32)
const POLICY = {} as never
const DOWN = { id: 'first', name: 'Primera', reason: 'no answer', isSilent: true }

/** The authorities of an office, in another order than they are asked in, and who is asked with what. */
async function anOfficeThatAsks(
  system: TestSystem,
  providers: readonly Partial<ServiceProvider & { password: string; sealedFor: string }>[],
) {
  const office = await storedOffice(system.db)
  const foreign = await storedOffice(system.db, { number: 99 })
  const rows = providers.map((one, index): ServiceProvider => {
    const { password, sealedFor, ...changes } = one
    const bare: ServiceProvider = {
      id: ServiceProviderId.parse(randomUUID()),
      ...{ officeId: office.id, kind: 'timestamp', name: `Sellos ${index + 1}` },
      ...{ url: `https://sellos-${index + 1}.example/`, username: null, sealed: null },
      ...{ policy: null, position: index + 1, state: 'active', stateSince: MORNING },
      ...{ stateBy: null, cost: null, ...changes },
    }
    if (password === undefined) return bare
    const place = sealedFor ?? placeOfProviderPassword(bare)
    return { ...bare, sealed: system.vault.seal(new TextEncoder().encode(password), place) }
  })
  await system.db.transaction(async (trx) => {
    for (const row of rows.toReversed()) await insertServiceProvider(trx, row)
    const [first] = rows
    const id = ServiceProviderId.parse(randomUUID())
    if (first) await insertServiceProvider(trx, { ...first, id, officeId: foreign.id, name: 'No' })
  })
  const asked: TimestampAuthority[] = []
  const stamping = {
    ...system,
    timestamps: {
      stamp: async (_: Uint8Array, authorities: readonly TimestampAuthority[]) => {
        asked.push(...authorities)
        return { kind: 'unavailable' as const, failures: [DOWN] }
      },
    },
  }
  return { asked, outcome: () => requestTimestamp(stamping, office, DIGEST, POLICY) }
}

onEachSystem('timestamp', (current) => {
  test("is asked of the office's authorities alone, in their order, as each asks for it", async () => {
    const { asked, outcome } = await anOfficeThatAsks(current(), [
      { policy: '1.2.3' },
      { username: 'notaria12', password: 'de sellos' },
      { kind: 'constancia', name: 'Constancias' },
    ])
    expect(await outcome()).toEqual({ kind: 'unavailable', failures: [DOWN] })
    const login = { username: 'notaria12', password: 'de sellos' }
    const id = expect.any(String)
    expect(asked).toEqual([
      { id, name: 'Sellos 1', url: 'https://sellos-1.example/', login: null, policy: '1.2.3' },
      { id, name: 'Sellos 2', url: 'https://sellos-2.example/', login, policy: null },
    ])
  })

  test('an authority whose password cannot be unsealed is a failure, and the others are asked', async () => {
    const { asked, outcome } = await anOfficeThatAsks(current(), [
      { username: 'notaria12', password: 'de sellos', sealedFor: 'another place' },
      {},
    ])
    expect(await outcome()).toEqual({
      kind: 'unavailable',
      failures: [
        { id: expect.any(String), name: 'Sellos 1', reason: 'secret-unreadable', isSilent: false },
        DOWN,
      ],
    })
    expect(asked.map(({ name }) => name)).toEqual(['Sellos 2'])
  })

  test.each([
    ['an authority that answers', 'stamped', ['clock-wrong']],
    ['no authority', 'unavailable', []],
  ] as const)('the clock is compared with that of %s', async (_, kind, alerts) => {
    const system = current()
    const office = await storedOffice(system.db)
    const time = after(system.clock.now(), minutes(5))
    const outcome = { kind, time, token: new Uint8Array(), failures: [] } as never
    const stamping = { ...system, timestamps: { stamp: async () => outcome } }
    expect(await requestTimestamp(stamping, office, DIGEST, POLICY)).toEqual(outcome)
    expect((await listAlertRows(system)).map((alert) => alert.kind)).toEqual(alerts)
  })

  test('another error of the vault ends the request', async () => {
    const { vault } = current()
    const broken = {
      ...current(),
      vault: {
        ...vault,
        open: () => {
          throw new Error('a bug')
        },
      },
    }
    const { outcome } = await anOfficeThatAsks(broken, [{ username: 'uno', password: 'dos' }])
    await expect(outcome()).rejects.toThrow('a bug')
  })
})
