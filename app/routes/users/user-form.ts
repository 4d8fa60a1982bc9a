import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { NOTARIAL_NAME } from '#app/messages/labels.ts'
import { Role } from '#server/domain/identity/role.ts'
import {
  capacityFault,
  isNotarialName,
  type UserData,
  UserFields,
} from '#server/features/users/user-data.ts'

const { firstName, lastName, email, rfc, curp } = UserFields.shape
const { capacity, capacityOf, capacityFrom, capacityTo } = UserFields.shape

/** An optional field. */
const orNothing = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === undefined ? null : value), schema)

const DAY = 'Escriba una fecha que exista, como 2026-11-20.'

/** The form of a person; each role is a checkbox, so that a refused form keeps them. */
export const userFields = {
  firstName: withSentence(firstName, 'Escriba el nombre o los nombres, hasta 100 caracteres.'),
  lastName: withSentence(lastName, 'Escriba los apellidos, hasta 100 caracteres.'),
  email: withSentence(email, 'Escriba un correo electrónico completo, como ana@notaria.mx.'),
  rfc: withSentence(
    rfc,
    'Escriba el RFC de la persona, de 13 caracteres, como aparece en su e.firma.',
  ),
  curp: withSentence(
    orNothing(curp),
    'Escriba la CURP de 18 caracteres, o deje el campo vacío.',
  ).default(null),
  capacity: withSentence(orNothing(capacity), 'Elija una calidad de la lista.').default(null),
  capacityOf: withSentence(
    orNothing(capacityOf),
    'Escriba el nombre del notario y su notaría, hasta 200 caracteres.',
  ).default(null),
  capacityFrom: withSentence(orNothing(capacityFrom), DAY).default(null),
  capacityTo: withSentence(orNothing(capacityTo), DAY).default(null),
  'role-ADMIN': z.literal('on').optional(),
  'role-NOTARY': z.literal('on').optional(),
  'role-LAWYER': z.literal('on').optional(),
  'role-CLERK': z.literal('on').optional(),
  'role-AUDITOR': z.literal('on').optional(),
} satisfies Record<string, z.ZodType>

const Fields = z.strictObject(userFields)

const CAPACITY_FAULTS = {
  'no-notary': 'La calidad es de los notarios. Marque el rol Notario o quite la calidad.',
  'no-substitute': 'Solo un suplente suple a otro notario. Elija “Suplente” o deje el campo vacío.',
  'substitute-missing': 'Escriba a qué notario suple y de qué notaría.',
  missing: 'Elija la calidad del notario: sin ella no puede firmar.',
  'no-capacity': 'Elija la calidad a la que corresponde esta fecha, o quite la fecha.',
  reversed: 'La fecha de término es anterior a la de inicio.',
} as const

/** Converts the form into user data; reports errors at their fields. */
export function toUserData(
  fields: z.output<typeof Fields>,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): UserData {
  const { firstName, lastName, email, rfc, curp } = fields
  const { capacity, capacityOf, capacityFrom, capacityTo } = fields
  const roles = Role.options.filter((role) => fields[`role-${role}`] === 'on')
  const data = {
    ...{ firstName, lastName, email, rfc, curp, roles },
    ...{ capacity, capacityOf, capacityFrom, capacityTo },
  }
  if (roles.length === 0)
    context.addIssue({ code: 'custom', path: ['roles'], message: 'Marque al menos un rol.' })
  if (isNotarialName(data))
    context.addIssue({ code: 'custom', path: ['firstName'], message: NOTARIAL_NAME })
  const wrong = capacityFault(data) ?? missingCapacity(data)
  if (wrong)
    context.addIssue({ code: 'custom', path: [wrong.field], message: CAPACITY_FAULTS[wrong.fault] })
  return data
}

/** A notary without a capacity would learn only at the first signature that they may not sign. */
function missingCapacity({ roles, capacity, capacityOf }: UserData) {
  if (roles.includes('NOTARY') && !capacity) return { field: 'capacity', fault: 'missing' } as const
  if (capacity === 'suplente' && !capacityOf)
    return { field: 'capacityOf', fault: 'substitute-missing' } as const
}

export const UserForm = Fields.transform(toUserData)

export type UserValues = Record<string, string | undefined>

/** Returns the form's values for existing data. */
export function valuesOf(data: UserData): UserValues {
  const ticks = data.roles.map((role) => [`role-${role}`, 'on'])
  const { firstName, lastName, email, rfc } = data
  return {
    ...{ firstName, lastName, email, rfc },
    curp: data.curp ?? '',
    capacity: data.capacity ?? '',
    capacityOf: data.capacityOf ?? '',
    capacityFrom: data.capacityFrom ?? '',
    capacityTo: data.capacityTo ?? '',
    ...Object.fromEntries(ticks),
  }
}
