import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createMailAttachments } from '#server/db/migrations/0013-mail-attachments.ts'
import { emptyDatabase } from '#tests/support/database.ts'

test.each(['sqlite', 'postgres'] as const)(
  'mail that waits while the office upgrades keeps its document (%s)',
  async (dialect) => {
    const bare = await emptyDatabase(dialect, 'none')
    try {
      const rows = await bare.db.transaction(async (trx) => {
        await sql`create table outbox (id text, document_id text, version integer)`.execute(trx)
        await sql`insert into outbox values ('a', 'd-1', 3), ('b', null, null)`.execute(trx)
        await createMailAttachments(trx as unknown as Kysely<unknown>)
        return (await sql`select * from outbox order by id`.execute(trx)).rows
      })
      expect(rows).toEqual([
        { id: 'a', attachments: '[{"documentId":"d-1","version":3}]' },
        { id: 'b', attachments: null },
      ])
    } finally {
      await bare.end()
    }
  },
)
