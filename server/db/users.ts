import type { Email } from '#server/domain/identity/email.ts'
import { User, type UserState } from '#server/domain/identity/user.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { UserRow } from './tables.ts'
import type { Reader, Transaction } from './transaction.ts'

export async function findUser(db: Reader, id: UserId): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const roles = await rolesOf(db, [id])
  return toUser(row, roles)
}

/** What signing in needs: the only reader of the password's hash. */
export async function findCredentials(
  db: Reader,
  email: Email,
): Promise<{ user: User; passwordHash: string | null } | undefined> {
  const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
  if (!row) return undefined
  const roles = await rolesOf(db, [row.id])
  return { user: toUser(row, roles), passwordHash: row.password_hash }
}

/** The people of an office, by last name. */
export async function listUsers(db: Reader, officeId: OfficeId): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('last_name')
    .orderBy('first_name')
    .execute()
  const roles = await rolesOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toUser(row, roles))
}

/**
 * @param passwordHash a PHC string; null until the person has chosen a password
 * @throws when the address is taken
 */
export async function insertUser(
  trx: Transaction,
  user: User,
  passwordHash: string | null,
): Promise<void> {
  await trx.insertInto('users').values(toRow(user, passwordHash)).execute()
  for (const role of user.roles)
    await trx
      .insertInto('user_roles')
      .values({ user_id: user.id, role, granted_at: user.createdAt, granted_by: null })
      .execute()
}

/** Compare-and-swap: false when the person was not in the state `from`. */
export async function replaceUserState(
  trx: Transaction,
  id: UserId,
  from: UserState,
  to: UserState,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ state: to, state_since: at })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

type RoleOf = { user_id: string; role: string }

async function rolesOf(db: Reader, ids: readonly string[]): Promise<RoleOf[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('user_roles')
    .select(['user_id', 'role'])
    .where('user_id', 'in', ids)
    .orderBy('role')
    .execute()
}

function toUser(row: UserRow, roles: readonly RoleOf[]): User {
  return User.parse({
    ...row,
    officeId: row.office_id,
    firstName: row.first_name,
    lastName: row.last_name,
    stateSince: row.state_since,
    stateBy: row.state_by,
    stateReason: row.state_reason,
    passwordChangedAt: row.password_changed_at,
    passwordChangeSince: row.password_change_since,
    passwordChangeBy: row.password_change_by,
    capacityFrom: row.capacity_from,
    capacityTo: row.capacity_to,
    createdAt: row.created_at,
    roles: roles.filter(({ user_id }) => user_id === row.id).map(({ role }) => role),
  })
}

function toRow(user: User, passwordHash: string | null): UserRow {
  return {
    id: user.id,
    office_id: user.officeId,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    rfc: user.rfc,
    curp: user.curp,
    state: user.state,
    state_since: user.stateSince,
    state_by: user.stateBy,
    state_reason: user.stateReason,
    password_hash: passwordHash,
    password_changed_at: user.passwordChangedAt,
    password_change_since: user.passwordChangeSince,
    password_change_by: user.passwordChangeBy,
    capacity: user.capacity,
    capacity_from: user.capacityFrom,
    capacity_to: user.capacityTo,
    created_at: user.createdAt,
  }
}
