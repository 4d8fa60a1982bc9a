import { inChunks } from '#server/db/in-chunks.ts'
import type { UserRow } from '#server/db/tables/people.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Email } from '#server/domain/identity/email.ts'
import { byLastName } from '#server/domain/identity/person-name.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { MOST_USERS, User, type UserState } from '#server/domain/identity/user.ts'
import { type OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export async function findUser(db: Reader, id: UserId): Promise<User | undefined> {
  return (await findUserRow(db, 'id', id))?.user
}

/** The existing users by id. */
export async function findUsers(db: Reader, ids: Iterable<UserId>): Promise<Map<UserId, User>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('users').selectAll().where('id', 'in', chunk).execute(),
  )
  const roles = await rolesOf(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(rows.map((row) => toUser(row, roles.get(row.id))).map((user) => [user.id, user]))
}

/** A user with the row, by one query that includes the roles, so that an unknown user takes equally long. */
export async function findUserRow(
  db: Reader,
  column: 'id' | 'email',
  value: string,
): Promise<{ user: User; row: UserRow } | undefined> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .selectAll('users')
    .select('user_roles.role')
    .where(`users.${column}`, '=', value)
    .orderBy('user_roles.role')
    .execute()
  const row = rows[0]
  if (!row) return undefined
  const roles = rows.flatMap(({ role }) => (role === null ? [] : [role]))
  return { user: toUser(row, roles), row }
}

/**
 * The users of an office by last name; of one name, the oldest first. No more than an office may have. Sorted here, so that both
 * databases give the Spanish order.
 */
export async function listUsers(db: Reader, officeId: OfficeId): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_USERS)
    .execute()
  const roles = await rolesOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toUser(row, roles.get(row.id))).toSorted(byLastName)
}

/** The names and e-mail addresses of all who are or were users of the office, as `listUsers` sorts them. */
export async function listUserNames(
  db: Reader,
  officeId: OfficeId,
): Promise<Pick<User, 'id' | 'firstName' | 'lastName' | 'email'>[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('office_id', '=', officeId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_USERS)
    .execute()
  return rows
    .map((row) => ({
      id: UserId.parse(row.id),
      firstName: row.first_name,
      lastName: row.last_name,
      email: Email.parse(row.email),
    }))
    .toSorted(byLastName)
}

/** How many active users of the office have no second factor of their own. */
export async function countWithoutFactor(db: Reader, officeId: OfficeId): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('office_id', '=', officeId)
    .where('state', '=', 'active')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webauthn_credentials')
            .select('id')
            .whereRef('user_id', '=', 'users.id')
            .where('webauthn_credentials.state', '!=', 'removed'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('totp_factors')
            .select('id')
            .whereRef('user_id', '=', 'users.id')
            .where('totp_factors.state', '=', 'active'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the office has a notary, or has invited one. */
export async function hasNotary(db: Reader, officeId: OfficeId): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select('users.id')
    .where('users.office_id', '=', officeId)
    .where('users.state', 'in', ['active', 'invited'])
    .where('user_roles.role', '=', 'NOTARY')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * @param passwordHash a PHC string; null until the user has chosen a password
 * @throws when the address is taken
 */
export async function insertUser(
  trx: Transaction,
  user: User,
  passwordHash: string | null,
): Promise<void> {
  await trx.insertInto('users').values(toRow(user, passwordHash)).execute()
  if (user.roles.length === 0) return
  const grant = { user_id: user.id, granted_at: user.createdAt, granted_by: user.stateBy }
  await trx
    .insertInto('user_roles')
    .values(user.roles.map((role) => ({ ...grant, role })))
    .execute()
}

/** Compare-and-swap: false if the user was not in the state `from`. */
export async function replaceUserState(
  trx: Transaction,
  id: UserId,
  from: UserState,
  to: UserState,
  at: Instant,
  by: UserId | null = null,
  reason: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ state: to, state_since: at, state_by: by, state_reason: reason })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Names, address, RFC, CURP and capacity; state, roles and password have their own functions. */
export async function replaceUser(trx: Transaction, user: User): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      first_name: user.firstName,
      last_name: user.lastName,
      email: user.email,
      rfc: user.rfc,
      curp: user.curp,
      capacity: user.capacity,
      capacity_of: user.capacityOf,
      capacity_from: user.capacityFrom,
      capacity_to: user.capacityTo,
    })
    .where('id', '=', user.id)
    .execute()
}

/** Sets the user's roles; roles that stay keep the record of who granted them. */
export async function replaceRoles(
  trx: Transaction,
  id: UserId,
  roles: readonly Role[],
  at: Instant,
  by: UserId | null,
): Promise<void> {
  let others = trx.deleteFrom('user_roles').where('user_id', '=', id)
  if (roles.length > 0) others = others.where('role', 'not in', roles)
  await others.execute()
  if (roles.length === 0) return
  await trx
    .insertInto('user_roles')
    .values(roles.map((role) => ({ user_id: id, role, granted_at: at, granted_by: by })))
    .onConflict((conflict) => conflict.columns(['user_id', 'role']).doNothing())
    .execute()
}

async function rolesOf(db: Reader, ids: Iterable<string>): Promise<Map<string, string[]>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('user_roles')
      .select(['user_id', 'role'])
      .where('user_id', 'in', chunk)
      .orderBy('role')
      .execute(),
  )
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map([...byUser].map(([id, own]) => [id, own.map(({ role }) => role)]))
}

function toUser(row: UserRow, roles: readonly string[] = []): User {
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
    capacityOf: row.capacity_of,
    capacityFrom: row.capacity_from,
    capacityTo: row.capacity_to,
    createdAt: row.created_at,
    roles,
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
    capacity_of: user.capacityOf,
    capacity_from: user.capacityFrom,
    capacity_to: user.capacityTo,
    created_at: user.createdAt,
  }
}
