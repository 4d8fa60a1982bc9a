import { type Kysely, sql } from 'kysely'
import type { DialectName } from './columns.ts'

/** Rows of one statement. */
const AT_ONCE = 1_000

/**
 * The list of documents is sorted by title and by last change, too. These indexes hold what the list is filtered by, so that a page
 * compares their entries without the rows.
 */
export async function sortDocuments(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const type = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await db.schema
    .alterTable('documents')
    .addColumn('title_key', type, (c) => c.notNull().defaultTo(''))
    .execute()
  await writeTitleKeys(db)
  for (const [name, column] of [
    ['documents_changed', 'state_since'],
    ['documents_by_title', 'title_key'],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('documents')
      .columns(['office_id', column, 'id', 'state', 'kind', 'created_by', 'created_at'])
      .execute()
}

async function writeTitleKeys(db: Kysely<unknown>): Promise<void> {
  let last = ''
  while (true) {
    const { rows } = await sql<{ id: string; title: string }>`
      select id, title from documents where id > ${last} order by id limit ${sql.lit(AT_ONCE)}`.execute(
      db,
    )
    if (rows.length === 0) return
    last = rows.at(-1)!.id
    const keys = rows.map(({ id, title }) => sql`(${id}, ${titleKey(title)})`)
    await sql`
      update documents set title_key = written.column2
      from (values ${sql.join(keys)}) as written where documents.id = written.column1`.execute(db)
  }
}

/** As `titleKey` of the domain when this step was released: a step never changes. */
const titleKey = (title: string): string =>
  (
    title
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])/g, (number) => number.replaceAll(',', ''))
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .join(' ')
    .replace(/\d+/g, (digits) => digits.padStart(12, '0'))
    .slice(0, 100)
