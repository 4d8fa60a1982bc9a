import { z } from 'zod'
import { Day, dayOf, endOfDay, startOfDay } from '#server/domain/day.ts'
import { Curp } from '#server/domain/identity/curp.ts'
import { Email } from '#server/domain/identity/email.ts'
import { nameClaimsNotarialOffice } from '#server/domain/identity/notarial-claim.ts'
import { fullName, PersonName } from '#server/domain/identity/person-name.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { Role } from '#server/domain/identity/role.ts'
import { line } from '#server/domain/identity/text.ts'
import { Capacity, type User } from '#server/domain/identity/user.ts'

/** The user form of administrators. */
export const UserFields = z.strictObject({
  firstName: PersonName,
  lastName: PersonName,
  email: Email,
  /** The RFC of a natural person has 13 characters. */
  rfc: Rfc.refine((rfc) => rfc.length === 13),
  curp: Curp.nullable(),
  roles: z
    .array(Role)
    .min(1)
    .transform((roles) => Role.options.filter((role) => roles.includes(role))),
  capacity: Capacity.nullable(),
  /** The notary that a `suplente` substitutes, and their office. */
  capacityOf: line(200).nullable(),
  /** First and last day in the office's time zone; null for no limit. */
  capacityFrom: Day.nullable(),
  capacityTo: Day.nullable(),
})

/**
 * Why the capacity is not valid, if it is not: only notaries have one, only a `suplente` substitutes
 * another notary, and it must not end before it begins.
 */
export function capacityFault(
  data: Pick<
    z.output<typeof UserFields>,
    'roles' | 'capacity' | 'capacityOf' | 'capacityFrom' | 'capacityTo'
  >,
):
  | {
      field: 'capacity' | 'capacityOf' | 'capacityFrom' | 'capacityTo'
      fault: 'no-notary' | 'no-capacity' | 'no-substitute' | 'reversed'
    }
  | undefined {
  const { roles, capacity, capacityOf, capacityFrom, capacityTo } = data
  if (capacity && !roles.includes('NOTARY')) return { field: 'capacity', fault: 'no-notary' }
  if (capacityOf && capacity !== 'suplente') return { field: 'capacityOf', fault: 'no-substitute' }
  if (!capacity && (capacityFrom ?? capacityTo))
    return { field: capacityFrom ? 'capacityFrom' : 'capacityTo', fault: 'no-capacity' }
  if (capacityFrom && capacityTo && capacityTo < capacityFrom)
    return { field: 'capacityTo', fault: 'reversed' }
}

/** Whether the names claim a notarial office, which only the capacity gives. */
export const isNotarialName = (data: Pick<z.output<typeof UserFields>, 'firstName' | 'lastName'>) =>
  nameClaimsNotarialOffice(data.firstName) || nameClaimsNotarialOffice(fullName(data))

export const UserData = UserFields.refine(
  (data) => capacityFault(data) === undefined,
  'capacity',
).refine((data) => !isNotarialName(data), 'name')
export type UserData = z.infer<typeof UserData>

/** The data as stored: instants for days. */
export function keptData(data: UserData, zone: string) {
  const { capacityFrom, capacityTo, ...rest } = data
  return {
    ...rest,
    capacityFrom: capacityFrom && startOfDay(capacityFrom, zone),
    capacityTo: capacityTo && endOfDay(capacityTo, zone),
  }
}

/** The form data of a stored user. */
export function writtenData(user: User, zone: string): UserData {
  const { firstName, lastName, email, rfc, curp, roles, capacity, capacityOf } = user
  const { capacityFrom, capacityTo } = user
  return {
    ...{ firstName, lastName, email, rfc, curp, roles, capacity, capacityOf },
    capacityFrom: capacityFrom && dayOf(capacityFrom, zone),
    capacityTo: capacityTo && dayOf(capacityTo, zone),
  }
}
