import { type Kysely, sql } from 'kysely'
import { makeAppendOnly, refuseReplacement } from './append-only.ts'
import { columnsOf, type DialectName } from './columns.ts'

/** What people consented to, the texts that they read, and their requests about their data. */
export async function createCare(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await createConsents(db, dialect)
  await createRequests(db, dialect)
  await createPackages(db, dialect)
  await createRetention(db, dialect)
  await recordEarlierConsents(db, dialect)
  for (const table of APPEND_ONLY) await makeAppendOnly(db, dialect, table)
  await refuseReplacement(db, dialect, 'notice_texts', 'is skipped')
  for (const table of APPEND_ONLY.filter((table) => table !== 'notice_texts'))
    await refuseReplacement(db, dialect, table, 'fails')
}

const APPEND_ONLY = [
  'notice_texts',
  'consent_records',
  'arco_steps',
  'arco_terms',
  'retention_terms',
]

async function createConsents(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, count, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createTable('notice_texts')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('short', 'text', (c) => c.notNull())
    .addColumn('full', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('notice_texts_key', ['office_id', 'sha256'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('notice_counts')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('accepted', count, (c) => c.notNull())
    .addPrimaryKeyConstraint('notice_counts_key', ['office_id', 'sha256'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('consent_records')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('rfc', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    // Like the rows of the log, they stay when a draft of a session loses its signers.
    .addColumn('session_signer_id', 'text')
    .addColumn('signing_session_id', 'text')
    .addColumn('document_id', 'text', (c) => c.references('documents.id'))
    .addColumn('notice', 'text')
    .addColumn('at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, columns] of LISTS_OF_CONSENTS)
    await schema
      .createIndex(name)
      .on('consent_records')
      .columns(['office_id', ...columns, 'at', 'id'])
      .execute()
}

/** One index for each list that pages ask for, in the order in which they show it. */
const LISTS_OF_CONSENTS = [
  ['consent_records_newest', []],
  ['consent_records_by_kind', ['kind']],
  ['consent_records_by_notice', ['notice']],
  ['consent_records_by_rfc', ['rfc']],
] as const

async function createRequests(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createTable('arco_requests')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('year', 'integer', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('way', 'text', (c) => c.notNull())
    .addColumn('received_on', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('rfc', 'text')
    .addColumn('email', 'text')
    .addColumn('asked', 'text', (c) => c.notNull())
    .addColumn('terms', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('due_on', 'text')
    .addColumn('extended_term', 'text')
    .addColumn('extended_on', 'text')
    .addColumn('identity', 'text')
    .addColumn('answer', 'text')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull().references('users.id'))
    .addUniqueConstraint('arco_requests_number', ['office_id', 'year', 'number'])
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, columns] of LISTS_OF_REQUESTS)
    await schema
      .createIndex(name)
      .on('arco_requests')
      .columns([...columns])
      .execute()
  await sql`create index arco_requests_due on arco_requests (due_on, id) where due_on is not null`.execute(
    db,
  )
  await schema
    .createTable('arco_steps')
    .addColumn('request_id', 'text', (c) => c.notNull().references('arco_requests.id'))
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('note', 'text')
    .addPrimaryKeyConstraint('arco_steps_key', ['request_id', 'place'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('arco_terms')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('answer_days', 'integer', (c) => c.notNull())
    .addColumn('effect_days', 'integer', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('source_day', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('arco_terms_key', ['office_id', 'version'])
    .modifyEnd(tableOptions)
    .execute()
}

const LISTS_OF_REQUESTS = [
  ['arco_requests_newest', ['office_id', 'created_at', 'id']],
  ['arco_requests_by_rfc', ['office_id', 'rfc', 'id']],
  ['arco_requests_by_state', ['office_id', 'state', 'created_at', 'id']],
] as const

async function createPackages(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, count, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createTable('arco_packages')
    .addColumn('request_id', 'text', (c) => c.primaryKey().notNull().references('arco_requests.id'))
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('asked_by', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('due_at', instant, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('file_name', 'text')
    .addColumn('sha256', 'text')
    .addColumn('bytes', count)
    .addColumn('expires_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, table, columns] of LOOKUPS)
    await schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute()
}

/** What is held about a person is found by the RFC; mail has an address alone. */
const LOOKUPS = [
  ['arco_packages_due', 'arco_packages', ['state', 'due_at', 'request_id']],
  ['arco_packages_ending', 'arco_packages', ['state', 'expires_at', 'request_id']],
  ['arco_packages_by_file', 'arco_packages', ['office_id', 'sha256']],
  ['signers_by_rfc', 'signers', ['rfc', 'id']],
  ['issued_copies_by_rfc', 'issued_copies', ['recipient_rfc', 'id']],
  ['certificates_by_rfc', 'certificates', ['office_id', 'rfc', 'id']],
  ['outbox_by_address', 'outbox', ['office_id', 'to_address', 'id']],
] as const

async function createRetention(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  // Null: it may be read.
  await schema.alterTable('documents').addColumn('blocked_at', instant).execute()
  await schema
    .createIndex('documents_by_end')
    .on('documents')
    .columns(['office_id', 'kind', 'state_since', 'id'])
    .execute()
  await schema
    .createTable('retention_terms')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    // Null: documents of the kind are kept.
    .addColumn('years', 'integer')
    .addColumn('block_days', 'integer', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('retention_terms_key', ['office_id', 'kind', 'version'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('retention_places')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('retention_places_key', ['office_id', 'kind'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createTable('retention_items')
    .addColumn('document_id', 'text', (c) => c.primaryKey().notNull().references('documents.id'))
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('since', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.references('users.id'))
    .addColumn('reason', 'text')
    .addColumn('until', instant)
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, columns] of LISTS_OF_ITEMS)
    await schema
      .createIndex(name)
      .on('retention_items')
      .columns([...columns])
      .execute()
}

const LISTS_OF_ITEMS = [
  ['retention_items_by_state', ['office_id', 'state', 'since', 'document_id']],
  ['retention_items_ending', ['state', 'until', 'document_id']],
] as const

/** Consents of earlier releases, with their texts as far as they were written by an office. */
async function recordEarlierConsents(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await sql`insert into notice_texts (office_id, sha256, short, "full", at)
    select office_id, sha256, short, "full", at from privacy_notices as one
    where not exists (select 1 from privacy_notices as earlier where earlier.office_id = one.office_id
      and earlier.sha256 = one.sha256 and earlier.version < one.version)`.execute(db)
  await sql`insert into consent_records (id, office_id, kind, name, rfc, session_signer_id, signing_session_id, notice, at)
    select l.id, s.office_id, 'privacy-notice', g.name, g.rfc, g.id, s.id, l.consent_text, l.consented_at
    from signing_links as l join signers as g on g.id = l.signer_id
    join signing_sessions as s on s.id = g.signing_session_id
    where l.consented_at is not null and l.consent_text is not null`.execute(db)
  await sql`insert into notice_counts (office_id, sha256, accepted)
    select office_id, notice, count(*) from consent_records group by office_id, notice`.execute(db)
  const id = dialect === 'postgres' ? sql`gen_random_uuid()::text` : RANDOM_UUID
  await sql`insert into consent_records (id, office_id, kind, name, rfc, user_id, session_signer_id, signing_session_id, document_id, at)
    select ${id}, d.office_id, case c.state when 'given' then 'pictures-given' else 'pictures-withdrawn' end,
      coalesce(g.name, u.first_name || ' ' || u.last_name), coalesce(g.rfc, u.rfc), u.id, g.id, g.signing_session_id, d.id, c.since
    from picture_consents as c join documents as d on d.id = c.document_id
    left join users as u on u.id = c.user_id left join signers as g on g.id = c.session_signer_id
    where u.id is not null or g.id is not null`.execute(db)
}

/** Version 4: SQLite has no function for it. */
const RANDOM_UUID = sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`
