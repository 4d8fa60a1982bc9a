import { expect, test } from 'vitest'
import { listStoredLeaves } from '#server/db/audit/audit-events.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { logKeysOf } from '#server/domain/audit/log-keys.ts'
import { isIncluded } from '#server/domain/audit/merkle-tree.ts'
import { minutes } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { proveLeaves } from '#server/steps/audit/prove-leaves.ts'
import { addEvents } from '#tests/support/office/log-events.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('proofs that events are in the log', (current) => {
  const leaves = () => listStoredLeaves(current().db, FIRST_LOG, { from: 0, limit: 1000 })
  const prove = async (some?: Awaited<ReturnType<typeof leaves>>) =>
    await proveLeaves(current().db, some ?? (await leaves()), current().settings.logKeys)

  /** Signs over seven events; three more come later. */
  async function signed() {
    await addEvents(current().db, 7)
    current().wait(minutes(1))
    await checkpointLogs(current())
    await addEvents(current().db, 3)
  }

  test('before the first checkpoint there is none', async () => {
    await addEvents(current().db, 3)
    expect(await prove()).toEqual({ signed: [], proofs: [] })
  })

  test('each event of the signed tree has one that holds, later ones have none', async () => {
    await signed()
    const proven = await prove()
    expect(proven?.signed[0]?.head.size).toBe(7)
    expect(proven?.proofs.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6])
    for (const { note, path, ...placed } of proven?.proofs ?? []) {
      expect(note).toBe(proven?.signed[0]?.note)
      expect(isIncluded(placed, proven!.signed[0]!.head, path)).toBe(true)
    }
  })

  test('none is given for an event that was changed, or under the key of another log', async () => {
    await signed()
    const [first, ...others] = await leaves()
    const changed = { ...first!, canonical: Uint8Array.of(...first!.canonical, 32) }
    expect(await prove([...others, changed])).toBeUndefined()
    const otherKeys = logKeysOf(new Uint8Array(32).fill(1))
    expect(await proveLeaves(current().db, others, otherKeys)).toBeUndefined()
  })

  test('many events: each has one proof, in their order', async () => {
    await addEvents(current().db, 600)
    current().wait(minutes(1))
    await checkpointLogs(current())
    const proven = await prove()
    expect(proven?.proofs.map(({ index }) => index)).toEqual(
      Array.from({ length: 600 }, (_, at) => at),
    )
  })

  test('a database that fails is a fault, not an event that is not in the log', async () => {
    await signed()
    const { db, settings } = current()
    const failing = Object.create(db, {
      selectFrom: {
        value: (table: 'audit_events') => {
          if (typeof table === 'string') return db.selectFrom(table)
          throw new Error('the connection is gone')
        },
      },
    })
    const proving = proveLeaves(failing, await leaves(), settings.logKeys)
    await expect(proving).rejects.toThrow('the connection is gone')
  })
})
