import type { Kysely } from 'kysely'
import { refuseReplacement } from './append-only.ts'
import type { DialectName } from './columns.ts'

const FAILS = [
  'audit_checkpoints',
  'audit_events',
  'document_versions',
  'presence_proof_documents',
  'presence_proofs',
  'privacy_notices',
  'signatures',
]
const IS_SKIPPED = ['acknowledgements', 'audit_subtrees']

/** A statement of SQLite could still overwrite rows of append-only tables. */
export async function refuseReplacements(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const table of FAILS) await refuseReplacement(db, dialect, table, 'fails')
  for (const table of IS_SKIPPED) await refuseReplacement(db, dialect, table, 'is skipped')
}
