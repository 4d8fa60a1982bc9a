import type { Kysely } from 'kysely'
import { makeAppendOnly, refuseReplacement } from './append-only.ts'
import { type Columns, columnsOf, type DialectName } from './columns.ts'

/** The physical keys of an office, what happened to each of them, and the certificates of their maker. */
export async function createYubikeys(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const columns = columnsOf(dialect)
  await createKeys(db, columns)
  await createChanges(db, columns)
  await createAttestations(db, columns)
  await createCredentials(db, columns)
  await createMakerCertificates(db, columns)
  for (const table of ['yubikey_changes', 'yubikey_attestations']) {
    await makeAppendOnly(db, dialect, table)
    await refuseReplacement(db, dialect, table, 'fails')
  }
}

async function createKeys({ schema }: Kysely<unknown>, { instant, count, tableOptions }: Columns) {
  await schema
    .createTable('yubikeys')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('serial', 'text', (c) => c.notNull())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('firmware', 'text')
    .addColumn('form_factor', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('holder_id', 'text', (c) => c.references('users.id'))
    .addColumn('certificate_id', 'text', (c) => c.references('certificates.id'))
    .addColumn('version', count, (c) => c.notNull())
    .addUniqueConstraint('yubikeys_of_office', ['office_id', 'serial'])
    .modifyEnd(tableOptions)
    .execute()
  // Lists in the order of the serial numbers: of a state, and of a holder.
  await schema
    .createIndex('yubikeys_in_state')
    .on('yubikeys')
    .columns(['office_id', 'state', 'serial'])
    .execute()
  await schema
    .createIndex('yubikeys_of_holder')
    .on('yubikeys')
    .columns(['holder_id', 'serial'])
    .execute()
}

async function createChanges(
  { schema }: Kysely<unknown>,
  { instant, count, tableOptions }: Columns,
) {
  await schema
    .createTable('yubikey_changes')
    .addColumn('yubikey_id', 'text', (c) => c.notNull().references('yubikeys.id'))
    .addColumn('version', count, (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('holder_id', 'text', (c) => c.references('users.id'))
    .addColumn('note', 'text')
    .addPrimaryKeyConstraint('yubikey_changes_key', ['yubikey_id', 'version'])
    .modifyEnd(tableOptions)
    .execute()
}

async function createAttestations(
  { schema }: Kysely<unknown>,
  { bytes, count, tableOptions }: Columns,
) {
  await schema
    .createTable('yubikey_attestations')
    .addColumn('yubikey_id', 'text', (c) => c.notNull().references('yubikeys.id'))
    // Of the change that added it.
    .addColumn('version', count, (c) => c.notNull())
    .addColumn('slot', 'text', (c) => c.notNull())
    // Certificates as PEM: the statement first, then those that came with it.
    .addColumn('certificates', bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint('yubikey_attestations_key', ['yubikey_id', 'version'])
    .modifyEnd(tableOptions)
    .execute()
}

async function createCredentials({ schema }: Kysely<unknown>, { instant, tableOptions }: Columns) {
  await schema
    .createTable('yubikey_credentials')
    // A credential is in one device.
    .addColumn('credential_id', 'text', (c) =>
      c.primaryKey().notNull().references('webauthn_credentials.id'),
    )
    .addColumn('yubikey_id', 'text', (c) => c.notNull().references('yubikeys.id'))
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('yubikey_credentials_of_key')
    .on('yubikey_credentials')
    .columns(['yubikey_id'])
    .execute()
}

/** Apart from `authorities`: what stands here makes no signature valid. */
async function createMakerCertificates(
  { schema }: Kysely<unknown>,
  { bytes, instant, tableOptions }: Columns,
) {
  await schema
    .createTable('maker_certificates')
    .addColumn('sha256', 'text', (c) => c.primaryKey().notNull())
    .addColumn('der', bytes, (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.notNull().references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
}
