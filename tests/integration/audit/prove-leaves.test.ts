import { expect, test } from 'vitest'
import { listStoredLeaves } from '#server/db/audit/audit-events.ts'
import { logKey } from '#server/domain/audit/checkpoint.ts'
import { isIncluded } from '#server/domain/audit/merkle-tree.ts'
import { minutes } from '#server/domain/time.ts'
import { checkpointLog } from '#server/features/audit/checkpoint-log.ts'
import { proveLeaves } from '#server/steps/audit/prove-leaves.ts'
import { addEvents } from '#tests/support/office/log-events.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('proofs that events are in the log', (current) => {
  const leaves = () => listStoredLeaves(current().db, { from: 0, limit: 100 })
  const prove = async (some?: Awaited<ReturnType<typeof leaves>>) =>
    await proveLeaves(current().db, some ?? (await leaves()), current().settings.logKey.verifier)

  /** Signs over seven events; three more come later. */
  async function signed() {
    await addEvents(current().db, 7)
    current().wait(minutes(1))
    await checkpointLog(current())
    await addEvents(current().db, 3)
  }

  test('before the first checkpoint there is none', async () => {
    await addEvents(current().db, 3)
    expect(await prove()).toEqual({ signed: undefined, proofs: [] })
  })

  test('each event of the signed tree has one that holds, later ones have none', async () => {
    await signed()
    const proven = await prove()
    expect(proven?.signed?.head.size).toBe(7)
    expect(proven?.proofs.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6])
    for (const { note, path, ...placed } of proven?.proofs ?? []) {
      expect(note).toBe(proven?.signed?.note)
      expect(isIncluded(placed, proven!.signed!.head, path)).toBe(true)
    }
  })

  test('none is given for an event that was changed, or under the key of another log', async () => {
    await signed()
    const [first, ...others] = await leaves()
    const changed = { ...first!, canonical: Uint8Array.of(...first!.canonical, 32) }
    expect(await prove([...others, changed])).toBeUndefined()
    const { verifier } = logKey(new Uint8Array(32).fill(1))
    expect(await proveLeaves(current().db, others, verifier)).toBeUndefined()
  })
})
