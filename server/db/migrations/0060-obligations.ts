import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * The obligations of an office, its non-working days, and what is due: rows that jobs write, found by their day. Marks are the
 * documents that were signed, and the offices whose terms changed, since a job last counted.
 */
export async function createObligations(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await createCatalogue(db, dialect)
  await createDeadlines(db, dialect)
  await createMarks(db, dialect)
  await createFeeds(db, dialect)
  await markRecentDocuments(db)
}

async function createCatalogue(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('obligations')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('channel', 'text')
    .addColumn('term', 'text', (c) => c.notNull())
    .addColumn('source', 'text')
    .addColumn('source_day', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('obligations_key', ['office_id', 'id'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('non_working_days')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('source', 'text')
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('non_working_days_key', ['office_id', 'day'])
    .modifyEnd(tableOptions)
    .execute()
}

async function createDeadlines(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('deadlines')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('obligation_id', 'text', (c) => c.notNull())
    // One of the two.
    .addColumn('document_id', 'text', (c) => c.references('documents.id'))
    .addColumn('period', 'text')
    .addColumn('base_on', 'text')
    .addColumn('due_on', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .addColumn('done_on', 'text')
    .addColumn('note', 'text')
    .addColumn('acknowledgement', 'text')
    .addColumn('notice_on', 'text')
    .addColumn('alert', 'text')
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, columns] of INDEXES)
    await db.schema
      .createIndex(name)
      .on('deadlines')
      .columns([...columns])
      .execute()
  // One for a document and an obligation, and one for a month, whatever two processes do.
  await sql`create unique index deadlines_of_a_document on deadlines (document_id, obligation_id)
    where document_id is not null`.execute(db)
  await sql`create unique index deadlines_of_a_month on deadlines (office_id, obligation_id, period)
    where period is not null`.execute(db)
}

const INDEXES = [
  ['deadlines_by_day', ['office_id', 'state', 'due_on', 'id']],
  ['deadlines_of_an_obligation', ['office_id', 'state', 'obligation_id', 'due_on', 'id']],
  ['deadlines_to_recount', ['office_id', 'state', 'id']],
  ['deadlines_to_notice', ['office_id', 'notice_on', 'id']],
  ['deadlines_of_an_alert', ['office_id', 'alert', 'state']],
] as const

async function createMarks(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('deadlines_due')
    .addColumn('document_id', 'text', (c) => c.primaryKey().notNull().references('documents.id'))
    .addColumn('signed_at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('deadline_recounts')
    .addColumn('office_id', 'text', (c) => c.primaryKey().notNull().references('offices.id'))
    .addColumn('since', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('behind', 'text', (c) => c.notNull())
    .addColumn('moved', 'integer', (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}

async function createFeeds(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('calendar_feeds')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull().references('users.id'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('last_used_at', instant)
    .modifyEnd(tableOptions)
    .execute()
}

const RECENT_MS = 60 * 24 * 60 * 60 * 1000

/* The terms of documents that an earlier release saw signed may still run. */
async function markRecentDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`insert into deadlines_due (document_id, signed_at)
    select id, state_since from documents
    where state = 'signed' and state_since >
      (select max(state_since) from documents where state = 'signed') - ${sql.lit(RECENT_MS)}`.execute(
    db,
  )
}
