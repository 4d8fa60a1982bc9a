import type { FormErrors } from '#app/http/forms.ts'
import { SelectField } from '#app/ui/select-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import css from './login.module.css'

type Props = {
  values: Record<string, string>
  errors: FormErrors | undefined
  zones: { value: string; label: string }[]
}

/** The office, as it stands on every page and in every caption. */
export function OfficeFields({ values, errors, zones }: Props) {
  const field = (name: string) => ({
    name,
    size: 'md' as const,
    required: true,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <fieldset className={css.group}>
      <legend>La notaría</legend>
      <TextField
        {...field('name')}
        label="Nombre"
        help="Como aparece en sus sellos: Notaría 12 de Puebla."
        autoComplete="organization"
      />
      <TextField {...field('number')} label="Número" inputMode="numeric" autoComplete="off" />
      <SelectField
        name="entity"
        label="Entidad federativa"
        size="md"
        data={ENTITIES}
        defaultValue={values.entity ?? 'Ciudad de México'}
        errors={errors?.entity}
      />
      <TextField {...field('municipality')} label="Municipio o alcaldía" autoComplete="off" />
      <TextField {...field('address')} label="Domicilio" autoComplete="street-address" />
      <SelectField
        name="timeZone"
        label="Hora oficial"
        size="md"
        data={zones}
        defaultValue={values.timeZone ?? 'America/Mexico_City'}
        errors={errors?.timeZone}
      />
    </fieldset>
  )
}

/** Their names in the Constitution, article 43. */
const ENTITIES = [
  'Aguascalientes',
  'Baja California',
  'Baja California Sur',
  'Campeche',
  'Chiapas',
  'Chihuahua',
  'Ciudad de México',
  'Coahuila de Zaragoza',
  'Colima',
  'Durango',
  'Estado de México',
  'Guanajuato',
  'Guerrero',
  'Hidalgo',
  'Jalisco',
  'Michoacán de Ocampo',
  'Morelos',
  'Nayarit',
  'Nuevo León',
  'Oaxaca',
  'Puebla',
  'Querétaro',
  'Quintana Roo',
  'San Luis Potosí',
  'Sinaloa',
  'Sonora',
  'Tabasco',
  'Tamaulipas',
  'Tlaxcala',
  'Veracruz de Ignacio de la Llave',
  'Yucatán',
  'Zacatecas',
]
