import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { Tables } from './tables.ts'

/** What is needed to read: a `Database` outside of transactions, a `Transaction` inside. */
export type Reader = Pick<Kysely<Tables>, 'selectFrom'>

/** What is needed to write. There is no other way to it than `Database.transaction`. */
export type Transaction = KyselyTransaction<Tables>
