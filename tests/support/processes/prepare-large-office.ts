import { existsSync, writeFileSync } from 'node:fs'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { after, hours, seconds } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { aFullOffice } from '#tests/support/office/full-office.ts'
import { growOffice } from '#tests/support/office/large-office.ts'
import { aPdf } from '#tests/support/office/signing-system.ts'

/*
 * A program: fills the data folder of a server, and the database of `DATABASE_URL` if there is one, with a large office, and writes what visits need to a file. If the file is there, the
 * office is used again, and only its sign-ins are renewed. A process of its own, because the end-to-end tests cannot load the libraries of the others.
 */

/** Of everything that `aFullOffice` makes. */
const ROWS = 12

const [dataFolder = '', documents = '', events = '', answer = ''] = process.argv.slice(2)
const { DATABASE_URL } = process.env
const { system, close } = await compose(
  readConfig('start', { DATA_DIR: dataFolder, ...(DATABASE_URL && { DATABASE_URL }) }),
)
if (!existsSync(answer)) {
  const office = await aFullOffice(system, ROWS, await aPdf())
  await growOffice(system.db, {
    ...{ office: office.office, people: office.people, now: system.clock.now() },
    ...{ documents: Number(documents), events: Number(events), busyDocument: office.signed.id },
  })
  await checkpointLogs(system, undefined, seconds(0))
  writeFileSync(answer, JSON.stringify(office))
}
// The visits begin, and end, long after the users signed in.
const now = system.clock.now()
await system.db.transaction(async (trx) => {
  await trx
    .updateTable('session_tokens')
    .set({ expires_at: after(now, hours(2)) })
    .where('kind', '=', 'access')
    .where('session_id', 'in', (live) =>
      live.selectFrom('sessions').select('id').where('ended_at', 'is', null),
    )
    .execute()
  await trx
    .updateTable('sessions')
    .set({ last_seen_at: now, proven_at: now, expires_at: after(now, hours(12)) })
    .where('ended_at', 'is', null)
    .execute()
})
await close()
