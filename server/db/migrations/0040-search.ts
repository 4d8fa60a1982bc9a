import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * The texts in which documents are searched. Those of existing documents are written later, by a job: a large office has a
 * million.
 */
export async function createSearch(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { count, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createTable('document_texts')
    .addColumn('number', count, (c) => c.primaryKey())
    .addColumn('document_id', 'text', (c) => c.notNull().unique().references('documents.id'))
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('text', 'text', (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('texts_due')
    .addColumn('document_id', 'text', (c) => c.primaryKey().references('documents.id'))
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('search_words')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('word', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('search_words_key', ['office_id', 'word'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('search_word_parts')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('word', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('search_word_parts_key', ['office_id', 'part', 'word'])
    .modifyEnd(tableOptions)
    .execute()
  await (dialect === 'postgres' ? indexOnPostgres(db) : indexOnSqlite(db))
  await sql`insert into texts_due (document_id) select id from documents`.execute(db)
  await schema.alterTable('documents').dropColumn('search_text').execute()
}

/** @see https://www.postgresql.org/docs/current/pgtrgm.html */
async function indexOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create index document_texts_trigrams on document_texts using gin (text gin_trgm_ops)`.execute(
    db,
  )
}

/** @see https://www.sqlite.org/fts5.html#external_content_tables */
async function indexOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table document_trigrams using fts5(
    text, content='document_texts', content_rowid='number', tokenize='trigram')`.execute(db)
  const add = sql.raw('insert into document_trigrams (rowid, text) values (new.number, new.text);')
  const remove = sql.raw(
    "insert into document_trigrams (document_trigrams, rowid, text) values ('delete', old.number, old.text);",
  )
  await sql`create trigger document_texts_added after insert on document_texts begin ${add} end`.execute(
    db,
  )
  await sql`create trigger document_texts_changed after update on document_texts begin ${remove} ${add} end`.execute(
    db,
  )
  await sql`create trigger document_texts_removed after delete on document_texts begin ${remove} end`.execute(
    db,
  )
}
