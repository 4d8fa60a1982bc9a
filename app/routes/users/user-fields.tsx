import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { capacities, roles } from '#server/words/people.ts'
import type { UserValues } from './user-form.ts'

type Props = {
  values: UserValues
  errors: Record<string, string[] | undefined> | undefined
}

const ROLE_LINES = {
  ADMIN: 'Invita y suspende personas, cierra sesiones y ve la bitácora.',
  NOTARY: 'Sube, firma y cancela documentos; ve la bitácora.',
  LAWYER: 'Sube, firma y cancela documentos.',
  CLERK: 'Sube documentos y prepara sesiones de firma.',
  AUDITOR: 'Ve documentos y la bitácora; no cambia nada.',
} as const

const CAPACITIES = [
  { value: '', label: 'No aplica' },
  ...Object.entries(capacities).map(([value, label]) => ({ value, label })),
]

/** The person's data, roles and capacity. */
export function UserFields({ values, errors }: Props) {
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <>
      <TextField {...field('firstName')} label="Nombres" required maxLength={100} />
      <TextField {...field('lastName')} label="Apellidos" required maxLength={100} />
      <TextField
        {...field('email')}
        type="email"
        label="Correo electrónico"
        help="Con él inicia sesión."
        required
        maxLength={254}
      />
      <TextField
        {...field('rfc')}
        label="RFC"
        help="El de su e.firma: con otro no podrá firmar."
        required
        maxLength={20}
        spellCheck={false}
      />
      <TextField {...field('curp')} label="CURP (opcional)" maxLength={25} spellCheck={false} />
      <fieldset className={folds.choices}>
        <legend>Roles</legend>
        {Object.entries(roles).map(([role, name]) => (
          <CheckboxField
            key={role}
            name={`role-${role}`}
            label={name}
            help={ROLE_LINES[role as keyof typeof ROLE_LINES]}
            defaultChecked={values[`role-${role}`] === 'on'}
          />
        ))}
        {errors?.roles?.[0] && (
          <p className={folds.fault} role="alert">
            {errors.roles[0]}
          </p>
        )}
      </fieldset>
      <SelectField
        {...field('capacity')}
        label="Calidad"
        help="Sin ella un notario no puede firmar. Se imprime en la firma."
        data={CAPACITIES}
      />
      <TextField
        {...field('capacityOf')}
        label="A quién suple (solo suplentes)"
        help="Nombre del notario y su notaría. No se imprime en la firma."
        maxLength={200}
        autoComplete="off"
      />
      <TextField {...field('capacityFrom')} type="date" label="Inicio de la calidad (opcional)" />
      <TextField {...field('capacityTo')} type="date" label="Término de la calidad (opcional)" />
    </>
  )
}
