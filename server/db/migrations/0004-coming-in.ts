import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Second factors, rotating tokens, activation links, throttling, and alerts. */
export async function createSignIns(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await extendPeople(db, dialect)
  await createSessions(db, dialect)
  await createSecondFactors(db, dialect)
  await createAlerts(db, dialect)
}

async function extendPeople(db: Kysely<unknown>, dialect: DialectName) {
  const { duration, instant, tableOptions } = columnsOf(dialect)
  const { schema } = db

  // Null: a second factor is optional. Otherwise the time after activation during which it is.
  await schema.alterTable('offices').addColumn('second_factor_grace_ms', duration).execute()

  for (const column of ['state_by', 'state_reason', 'password_change_by'])
    await schema.alterTable('users').addColumn(column, 'text').execute()
  for (const column of ['password_changed_at', 'password_change_since'])
    await schema.alterTable('users').addColumn(column, instant).execute()

  await schema
    .createTable('activations')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('code_hash', 'text', (c) => c.notNull().unique())
    // Null for the first administrator of an empty installation.
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.references('users.id'))
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()

  await schema
    .createTable('factor_removals')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('asked_at', instant, (c) => c.notNull())
    .addColumn('asked_by', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
}

/* Earlier sessions have no rotating tokens: their users must sign in again. */
async function createSessions(db: Kysely<unknown>, dialect: DialectName) {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema.dropTable('sessions').execute()
  await schema.dropTable('login_attempts').execute()

  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('browser', 'text')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('last_seen_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('proven_at', instant, (c) => c.notNull())
    .addColumn('second_factor', 'text')
    .addColumn('second_factor_at', instant)
    .addColumn('ended_at', instant)
    .addColumn('ended_by', 'text', (c) => c.references('users.id'))
    .addColumn('end_reason', 'text')
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('sessions_by_user')
    .on('sessions')
    .columns(['user_id', 'created_at'])
    .execute()
  await schema
    .createIndex('sessions_by_office')
    .on('sessions')
    .columns(['office_id', 'created_at'])
    .execute()

  await schema
    .createTable('session_tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('cause', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('used_at', instant)
    .addColumn('replaced_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('session_tokens_of_session')
    .on('session_tokens')
    .columns(['session_id', 'generation'])
    .execute()

  await schema
    .createTable('sign_ins')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()

  await schema
    .createTable('attempts')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('window_started_at', instant, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('refused', 'integer', (c) => c.notNull())
    .addColumn('blocked_until', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()

  await schema
    .createTable('known_devices')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('browser', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('first_seen_at', instant, (c) => c.notNull())
    .addColumn('last_seen_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('known_devices_key', ['user_id', 'browser'])
    .modifyEnd(tableOptions)
    .execute()

  await schema
    .createTable('kept_requests')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('key_version', 'integer', (c) => c.notNull())
    .addColumn('sealed_body', bytes, (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('used_at', instant)
    .modifyEnd(tableOptions)
    .execute()
}

async function createSecondFactors(db: Kysely<unknown>, dialect: DialectName) {
  const { bytes, count, instant, tableOptions } = columnsOf(dialect)
  const { schema } = db

  await schema
    .createTable('totp_factors')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('key_version', 'integer', (c) => c.notNull())
    .addColumn('sealed_secret', bytes, (c) => c.notNull())
    .addColumn('last_step', count, (c) => c.notNull())
    .addColumn('drift_seconds', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  // At most one of each: if two browsers enrol at once, one wins.
  for (const state of ['pending', 'active'])
    await sql`create unique index ${sql.id(`totp_factors_one_${state}`)} on totp_factors (user_id)
      where state = ${sql.lit(state)}`.execute(db)

  await schema
    .createTable('backup_codes')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('set_id', 'text', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('salt', bytes, (c) => c.notNull())
    .addColumn('code_hash', bytes, (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addUniqueConstraint('backup_codes_number', ['set_id', 'number'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('backup_codes_by_user')
    .on('backup_codes')
    .columns(['user_id', 'state'])
    .execute()

  await schema
    .createTable('webauthn_credentials')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('public_key', bytes, (c) => c.notNull())
    .addColumn('algorithm', 'integer', (c) => c.notNull())
    .addColumn('counter', count, (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('aaguid', 'text', (c) => c.notNull())
    .addColumn('device_type', 'text', (c) => c.notNull())
    .addColumn('backup', 'text', (c) => c.notNull())
    .addColumn('user_verification', 'text', (c) => c.notNull())
    .addColumn('attestation', bytes, (c) => c.notNull())
    .addColumn('rp_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('last_used_at', instant)
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('webauthn_credentials_by_user')
    .on('webauthn_credentials')
    .columns(['user_id', 'state'])
    .execute()

  await schema
    .createTable('webauthn_challenges')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('challenge', 'text', (c) => c.notNull().unique())
    .addColumn('purpose', 'text', (c) => c.notNull())
    // The session or pending sign-in that requested it; useless to any other.
    .addColumn('bearer', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('used_at', instant)
    .modifyEnd(tableOptions)
    .execute()
}

async function createAlerts(db: Kysely<unknown>, dialect: DialectName) {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createTable('alerts')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    // Null for alerts to the administrators.
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('severity', 'text', (c) => c.notNull())
    .addColumn('subject_kind', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('facts', 'text', (c) => c.notNull())
    // Identifies the occasion: a second alert with the same one is not raised.
    .addColumn('occasion', 'text', (c) => c.notNull().unique())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('alerts_by_office')
    .on('alerts')
    .columns(['office_id', 'state', 'at'])
    .execute()
}
