import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Read access: a `Database` outside of transactions, a `Transaction` inside. */
export type Reader = Pick<Kysely<Tables>, 'selectFrom'>

/** Write access. Only `Database.transaction` provides it. */
export type Transaction = KyselyTransaction<Tables>
