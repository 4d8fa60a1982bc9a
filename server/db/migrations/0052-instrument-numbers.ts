import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * The register of instrument numbers. Numbers that documents have are registered, the first of a duplicate in the order
 * of folios; other texts and further duplicates are listed apart. No number is missing until an office starts a series.
 */
export async function registerNumbers(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await createTables(db, dialect)
  const known = db as Kysely<Known>
  const offices = await known.selectFrom('offices').select('id').execute()
  for (const { id } of offices) {
    await registerDocuments(known, id, (state) => !ENDED.has(state), 'used')
    await registerDocuments(known, id, (state) => ENDED.has(state), 'left')
  }
}

async function createTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, count, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('number_series')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    // Series of the program have the same id in each office.
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('next_number', count)
    .addColumn('counted_from', count)
    .addColumn('book', 'text')
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('number_series_key', ['office_id', 'id'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('instrument_numbers')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('series_id', 'text', (c) => c.notNull())
    .addColumn('first_number', count, (c) => c.notNull())
    .addColumn('last_number', count, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('document_id', 'text', (c) => c.references('documents.id').unique())
    .addColumn('left_by', 'text', (c) => c.references('documents.id'))
    .addColumn('note', 'text')
    // The form that set it apart: sent twice, it takes one number.
    .addColumn('made_once', 'text', (c) => c.unique())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.references('users.id'))
    // The last guard: no number is given twice, whatever the program does.
    .addPrimaryKeyConstraint('instrument_numbers_key', ['office_id', 'series_id', 'first_number'])
    .addCheckConstraint('instrument_numbers_range', sql`first_number <= last_number`)
    .addCheckConstraint(
      'instrument_numbers_one',
      sql`first_number = last_number or state in ('unused', 'missing')`,
    )
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('number_texts')
    .addColumn('document_id', 'text', (c) => c.primaryKey().references('documents.id'))
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('series_id', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('folded', 'text')
    .addColumn('at', instant, (c) => c.notNull())
    .addUniqueConstraint('number_texts_once', ['office_id', 'series_id', 'folded'])
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, table, columns] of INDEXES)
    await db.schema.createIndex(name).on(table).columns(columns).execute()
}

const INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  [
    'instrument_numbers_by_state',
    'instrument_numbers',
    ['office_id', 'series_id', 'state', 'first_number'],
  ],
  [
    'instrument_numbers_by_time',
    'instrument_numbers',
    ['office_id', 'series_id', 'at', 'first_number'],
  ],
  [
    'instrument_numbers_by_state_and_time',
    'instrument_numbers',
    ['office_id', 'series_id', 'state', 'at', 'first_number'],
  ],
  ['number_texts_by_time', 'number_texts', ['office_id', 'series_id', 'at', 'document_id']],
]

type Known = {
  offices: { id: string }
  documents: {
    id: string
    office_id: string
    folio_year: number
    folio_number: number
    kind: string
    state: string
    instrument: string | null
    created_at: number
    created_by: string
  }
  instrument_numbers: {
    office_id: string
    series_id: string
    first_number: number
    last_number: number
    state: string
    document_id: string | null
    left_by: string | null
    at: number
    by_user: string
  }
  number_texts: {
    document_id: string
    office_id: string
    series_id: string
    text: string
    folded: string | null
    at: number
  }
}

/** Documents of these states have left their number. */
const ENDED: ReadonlySet<string> = new Set(['cancelled', 'rejected'])

const INSTRUMENTS = '7d0b4f0a-5f4e-4a43-9b53-0f5a3f6f8a01'
/** Other kinds only cite the number of an instrument. */
const SERIES: Readonly<Record<string, string>> = {
  deed: INSTRUMENTS,
  act: INSTRUMENTS,
  'power-of-attorney': INSTRUMENTS,
  will: INSTRUMENTS,
  ratification: INSTRUMENTS,
  collation: '7d0b4f0a-5f4e-4a43-9b53-0f5a3f6f8a02',
}

const CHUNK = 1000

async function registerDocuments(
  db: Kysely<Known>,
  officeId: string,
  isMeant: (state: string) => boolean,
  as: 'used' | 'left',
): Promise<void> {
  let behind: { year: number; number: number } | undefined = { year: 0, number: 0 }
  while (behind) {
    const { year, number }: { year: number; number: number } = behind
    const rows = await db
      .selectFrom('documents')
      .select(['id', 'office_id', 'folio_year', 'folio_number', 'kind', 'state', 'instrument'])
      .select(['created_at', 'created_by'])
      .where('office_id', '=', officeId)
      .where(sql<boolean>`(folio_year, folio_number) > (${year}, ${number})`)
      .orderBy('folio_year')
      .orderBy('folio_number')
      .limit(CHUNK)
      .execute()
    const written = rows.flatMap((row) => {
      const seriesId = SERIES[row.kind]
      if (row.instrument === null || !seriesId || !isMeant(row.state)) return []
      return [{ ...row, seriesId, text: String(JSON.parse(row.instrument).number) }]
    })
    const numbered = written.flatMap((row) => {
      const found = numberIn(row.text)
      return found === undefined ? [] : [{ ...row, found }]
    })
    const entries = numbered.map((row) => ({
      ...{ office_id: officeId, series_id: row.seriesId, state: as },
      ...{ first_number: row.found, last_number: row.found },
      document_id: as === 'used' ? row.id : null,
      left_by: as === 'left' ? row.id : null,
      ...{ at: row.created_at, by_user: row.created_by },
    }))
    const registered =
      entries.length === 0
        ? []
        : await db
            .insertInto('instrument_numbers')
            .values(entries)
            .onConflict((conflict) => conflict.doNothing())
            .returning('document_id')
            .execute()
    const known = new Set(registered.map(({ document_id }) => document_id))
    if (as === 'used')
      await listTexts(
        db,
        written.filter(({ id }) => !known.has(id)),
      )
    const last = rows.at(-1)
    behind =
      rows.length === CHUNK && last
        ? { year: last.folio_year, number: last.folio_number }
        : undefined
  }
}

/** Documents without a number of the register: what they have stays as it is. */
async function listTexts(db: Kysely<Known>, documents: readonly Written[]): Promise<void> {
  const rows = documents.map((document) => ({
    ...{ document_id: document.id, office_id: document.office_id, series_id: document.seriesId },
    ...{ text: document.text, at: document.created_at },
    folded: numberIn(document.text) === undefined ? folded(document.text) : null,
  }))
  if (rows.length === 0) return
  const listed = await db
    .insertInto('number_texts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('document_id')
    .execute()
  const done = new Set(listed.map(({ document_id }) => document_id))
  const duplicates = rows.filter(({ document_id }) => !done.has(document_id))
  if (duplicates.length > 0)
    await db
      .insertInto('number_texts')
      .values(duplicates.map((row) => ({ ...row, folded: null })))
      .execute()
}

type Written = {
  id: string
  office_id: string
  seriesId: string
  text: string
  created_at: number
}

const folded = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

function numberIn(text: string): number | undefined {
  if (!/^(?:\d{1,8}|\d{1,3}(?:[, ]\d{3}){1,2})$/.test(text.trim())) return undefined
  const number = Number(text.trim().replace(/[, ]/g, ''))
  return number >= 1 && number <= 99_999_999 ? number : undefined
}
