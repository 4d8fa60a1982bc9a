import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { after, hours, type Instant, seconds } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { indexDocuments } from '#server/features/documents/index-documents.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { fillStartedOffice } from '#tests/support/office/started-office.ts'
import { addAccounts, seedActors } from './seed-actors.ts'
import { seedThings } from './seed-things.ts'
import { WORLD_FILE, type World } from './world.ts'

/*
 * A program that fills the data folder of DATA_DIR for the role matrix, and describes it in a file there. Its own
 * process: the server of the matrix opens the same files afterwards.
 */
const config = readConfig('start')
const { system, close } = await compose(config)
const started = await fillStartedOffice(system, path.join(config.dataFolder, 'people'))
// As strict as a new office: everybody has a second factor but the one who lacks it.
await changePolicies(system, started.administrator, { decided: { secondFactorGrace: seconds(0) } })
const accounts = await addAccounts(system, started)
const things = await seedThings(system, { ...started, users: accounts.ofOffice })
const world: World = { things, actors: await seedActors(system, accounts, things) }
// A checkpoint of the future keeps the job from signing one while rows are compared.
const later = after(system.clock.now(), hours(1))
await checkpointLogs({ ...system, clock: { now: () => later } }, undefined, seconds(0))
await indexDocuments(system)
await system.db.transaction((trx) => keepFresh(trx, world, after(system.clock.now(), hours(24))))
writeFileSync(path.join(config.dataFolder, WORLD_FILE), JSON.stringify(world))
await close()

/** What is as good at the end of a slow run as at its beginning. */
async function keepFresh(trx: Transaction, { actors }: World, at: Instant): Promise<void> {
  await trx.updateTable('session_tokens').set({ used_at: at, expires_at: at }).execute()
  await trx.updateTable('access_tokens').set({ last_used_at: at }).execute()
  await trx.updateTable('kept_requests').set({ expires_at: at }).execute()
  const stale = actors.stale.person?.userId ?? ''
  await trx.updateTable('sessions').set({ proven_at: at }).where('user_id', '!=', stale).execute()
}
