import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { seconds } from '#server/domain/time.ts'
import { checkLogs } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { createOffice } from '#server/features/installation/create-office.ts'
import { ANOTHER_OFFICE, storedOffice } from '#tests/support/builders.ts'
import { emptyDatabase } from '#tests/support/database.ts'
import { countsOf, soundLogs } from '#tests/support/office/log-writers.ts'
import type { Order } from '#tests/support/processes/log-writer.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'

const PROGRAM = path.join(import.meta.dirname, '../../../support/processes/log-writer.ts')

/** A process that appends, with what it was told to be committed. */
type Writer = { child: ChildProcess; acknowledged: string[]; until(events: number): Promise<void> }

function aWriter(order: Order): Writer {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  let said = ''
  const writer: Writer = {
    child,
    acknowledged: [],
    async until(events) {
      while (writer.acknowledged.length < events && child.exitCode === null)
        await once(child.stdout!, 'data')
    },
  }
  child.stdout?.on('data', (chunk) => {
    const lines = (said + chunk).split('\n')
    said = lines.pop() ?? ''
    writer.acknowledged.push(...lines)
  })
  child.send(order)
  return writer
}

async function kill({ child }: Writer): Promise<void> {
  const isOver = once(child, 'close')
  child.kill('SIGKILL')
  await isOver
}

/** A system on the database, with files of its own. */
async function withSystem<T>(db: Database, run: (system: TestSystem) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-killed-writer-'))
  try {
    return await run(await testSystem(db, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every event that a process was told to be committed is in its log, once and in the order of its writer. */
async function mustHold(db: Database, writers: readonly Writer[]): Promise<void> {
  const logs = await soundLogs(db)
  const counts = countsOf([...logs.values()].flat().filter(({ details }) => 'writer' in details))
  for (const [writer, own] of Object.entries(counts))
    expect(own, writer).toEqual(own.map((_, index) => index))
  for (const line of writers.flatMap(({ acknowledged }) => acknowledged)) {
    const [writer = '', count] = line.split(' ')
    expect(counts[writer]?.length, line).toBeGreaterThan(Number(count))
  }
}

test('two processes that append at once, of which one is killed again and again: no gap, no wrong hash, and nothing that was acknowledged is lost', {
  timeout: 120_000,
}, async () => {
  const database = await emptyDatabase('postgres')
  const { db, url } = database
  const writers: Writer[] = []
  const start = (offices: Office[]) => {
    const writer = aWriter({ database: url, name: `process-${writers.length}`, offices })
    writers.push(writer)
    return writer
  }
  try {
    await withSystem(db, async (system) => {
      const offices = [await storedOffice(db)]
      const survivor = start(offices)
      for (const events of [50, 130, 210]) {
        const killed = start(offices)
        await killed.until(events)
        await kill(killed)
      }
      // The log of the first office is closed while a process appends to it.
      offices.push((await createOffice(system, ANOTHER_OFFICE)).office)
      const killed = start(offices)
      await killed.until(150)
      await kill(killed)
      await survivor.until(survivor.acknowledged.length + 50)
      await kill(survivor)
      await mustHold(db, writers)
      await checkpointLogs(system, undefined, seconds(0))
      expect(await checkLogs(system)).toBeUndefined()
      expect((await soundLogs(db)).size).toBe(4)
    })
  } finally {
    for (const { child } of writers) child.kill('SIGKILL')
    await database.end()
  }
})
