import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { csvOf, jsonLinesOf } from '#app/routes/audit/log-file.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { type ExportLog, exportLog } from '#server/features/audit/export-log.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { longestTaskOf } from '#tests/support/cpu-time.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { addEvents } from '#tests/support/office/log-events.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function aReader(system: TestSystem, role: Role, changes = {}) {
  const office = await storedOffice(system.db)
  return asPerson(await storedUser(system.db, office, [role], changes))
}

const exported = async (
  system: TestSystem,
  actor: Parameters<typeof exportLog>[1],
  asked: Partial<ExportLog> = {},
) => {
  const log = await exportLog(system, actor, { format: 'jsonl', ...asked })
  return { ...log, events: await Array.fromAsync(log.events) }
}

type Person = Awaited<ReturnType<typeof aReader>>
const happen = (system: TestSystem, actor: Person, times: number) =>
  system.db.transaction(async (trx) => {
    for (let count = 0; count < times; count += 1)
      await appendEvent(trx, {
        actor,
        at: MORNING,
        action: 'alert.read',
        subject: { kind: 'office', id: actor.officeId },
      })
  })

onEachSystem('exporting the log', (current) => {
  test('gives all that the filters show, however long it is, and tells of itself', async () => {
    const system = current()
    const auditor = await aReader(system, 'AUDITOR')
    await happen(system, auditor, 1001)
    const { events } = await exported(system, auditor, { about: 'office' })
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 1001 }, (_, i) => i))
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'audit.exported',
      subject: { kind: 'office', id: auditor.officeId },
      details: { format: 'jsonl', about: 'office' },
    })
    expect((await exported(system, auditor, { about: 'documents' })).events).toEqual([])
  })

  test('export: lets other requests run while it reads', async () => {
    const system = current()
    const auditor = await aReader(system, 'AUDITOR')
    await addEvents(system.db, 20_000)
    const read = async () => {
      const { events } = await exportLog(system, auditor, { format: 'jsonl' })
      let lines = 0
      for await (const line of jsonLinesOf(events)) lines += line === '' ? 0 : 1
      expect(lines).toBeGreaterThanOrEqual(20_000)
    }
    const longest = await longestTaskOf(read, 3)
    expect(longest).toBeLessThan(100 * (await timesSlower()))
  })

  test('its lines are the canonical bytes of the leaves', async () => {
    const system = current()
    const auditor = await aReader(system, 'AUDITOR')
    await happen(system, auditor, 2)
    const { events } = await exportLog(system, auditor, { format: 'jsonl' })
    const text = (await Array.fromAsync(jsonLinesOf(events))).join('')
    const leaves = text
      .trimEnd()
      .split('\n')
      .map((line) => createHash('sha256').update(`\0${line}`).digest('hex'))
    const log = await system.log()
    expect(leaves).toEqual([log[0]?.leafHash, log[1]?.leafHash])
  })

  test('a name that a spreadsheet would run is none in the table', async () => {
    const system = current()
    const auditor = await aReader(system, 'AUDITOR', { firstName: '=HYPERLINK("x")' })
    await happen(system, auditor, 1)
    const { events, timeZone } = await exportLog(system, auditor, { format: 'csv' })
    const [, row] = await Array.fromAsync(csvOf(events, timeZone))
    expect(row).toMatch(/^0,Correcto,Alerta leída,"'=HYPERLINK\(""x""\) /)
  })

  test.each(['CLERK', 'LAWYER'] as const)(
    'the role %s may not, and the log tells it',
    async (role) => {
      const system = current()
      const reader = await aReader(system, role)
      await expect(exported(system, reader)).rejects.toMatchObject({ code: 'forbidden' })
      expect(await system.log()).toMatchObject([
        { action: 'access.refused', details: { asked: 'audit.read' } },
      ])
    },
  )

  test('a stranger may not, and of another office there is nothing in it', async () => {
    const system = current()
    await expect(exported(system, stranger())).rejects.toMatchObject({ code: 'not-signed-in' })
    const auditor = await aReader(system, 'AUDITOR')
    await happen(system, auditor, 1)
    const office = await storedOffice(system.db, { number: 13 })
    const other = asPerson(await storedUser(system.db, office, ['AUDITOR']))
    expect((await exported(system, other)).events).toEqual([])
  })
})
