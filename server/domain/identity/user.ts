import { z } from 'zod'
import { OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { Curp } from './curp.ts'
import { Email } from './email.ts'
import { PersonName } from './person-name.ts'
import { Rfc } from './rfc.ts'
import { Role } from './role.ts'
import { Shown } from './text.ts'

/** A notary's capacity, printed in the caption of a signature. */
export const Capacity = z.enum(['titular', 'suplente', 'asociado', 'adscrito', 'interino'])
export type Capacity = z.infer<typeof Capacity>

/** Users of one office, suspended ones included. */
export const MOST_USERS = 1_000

export const UserState = z.enum(['invited', 'active', 'suspended'])
export type UserState = z.infer<typeof UserState>

/** A user of an office. Excludes the password: only sign-in reads it. */
export const User = z.object({
  id: UserId,
  officeId: OfficeId,
  firstName: PersonName,
  lastName: PersonName,
  email: Email,
  rfc: Rfc,
  curp: Curp.nullable(),
  state: UserState,
  stateSince: Instant,
  /** Null for the system: the demo, the activation of the first administrator. */
  stateBy: UserId.nullable(),
  stateReason: Shown.nullable(),
  passwordChangedAt: Instant.nullable(),
  /** When an administrator required a password change, and which one; null if none did. */
  passwordChangeSince: Instant.nullable(),
  passwordChangeBy: UserId.nullable(),
  capacity: Capacity.nullable(),
  /** The notary that a `suplente` substitutes, and their office, as an administrator typed it. */
  capacityOf: Shown.nullable(),
  capacityFrom: Instant.nullable(),
  capacityTo: Instant.nullable(),
  createdAt: Instant,
  roles: z.array(Role),
})
export type User = z.infer<typeof User>
