import { writeSync } from 'node:fs'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { openEventQueue } from '#server/db/audit/event-queue.ts'
import { openDatabase } from '#server/db/database.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { aView } from '#tests/support/office/log-writers.ts'

/** What a process appends, until it is killed. */
export type Order = { database: string; name: string; offices: Office[] }

/*
 * Appends to the logs of these offices, by the queue and in transactions of its own, with several writers at once. Prints the
 * writer and the count of each event that was committed.
 */
process.once('message', ({ database, name, offices }: Order) => {
  const db = openDatabase(database)
  const queue = openEventQueue(db)
  const write = async (writer: string, append: (count: number) => Promise<unknown>) => {
    for (let count = 0; ; count += 1) {
      await append(count)
      writeSync(1, `${writer} ${count}\n`)
    }
  }
  for (const [place, office] of offices.entries())
    for (const turn of [0, 1, 2]) {
      const [queued, alone] = [`${name}-queued-${place}-${turn}`, `${name}-alone-${place}-${turn}`]
      void write(queued, (count) => queue.append(aView(office, queued, count)))
      void write(alone, (count) =>
        db.transaction((trx) => appendEvent(trx, aView(office, alone, count))),
      )
    }
})
