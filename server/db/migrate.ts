import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { createPeople } from '#server/db/migrations/0001-people.ts'
import { createDocuments } from '#server/db/migrations/0002-documents.ts'
import { createAudit } from '#server/db/migrations/0003-audit.ts'
import type { DialectName } from '#server/db/migrations/columns.ts'
import type { Tables } from './tables.ts'

/** A step forward. There are no steps back: a mistake is mended by the next step. */
export type Step = (db: Kysely<unknown>, dialect: DialectName) => Promise<void>

/* In order, for ever: a step that was released is never changed, renamed or taken out. */
const STEPS: Record<string, Step> = {
  '0001-people': createPeople,
  '0002-documents': createDocuments,
  '0003-audit': createAudit,
}

/** @throws whatever a step throws; nothing of that step stays */
export async function migrateToLatest(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrationsFor(dialect) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

function migrationsFor(dialect: DialectName): Record<string, Migration> {
  const entries = Object.entries(STEPS).map(
    ([name, step]) => [name, { up: (db: Kysely<unknown>) => step(db, dialect) }] as const,
  )
  return Object.fromEntries(entries)
}
