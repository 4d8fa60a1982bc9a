import type { FormErrors } from '#app/http/forms.ts'
import { SelectField } from './select-field.tsx'
import { TextField } from './text-field.tsx'

type Props = {
  values: Record<string, string>
  errors: FormErrors | undefined
  zones: { value: string; label: string }[]
  size?: 'md'
}

/** The data of the office, as pages and sheets show it. */
export function OfficeFields({ values, errors, zones, size }: Props) {
  const of = (name: string) => ({ name, errors: errors?.[name], ...(size && { size }) })
  const text = (name: string) => ({ ...of(name), required: true, defaultValue: values[name] ?? '' })
  return (
    <>
      <TextField
        {...text('name')}
        label="Nombre"
        help="Como aparece en sus sellos: Notaría 12 de Puebla."
        autoComplete="organization"
      />
      <TextField {...text('number')} label="Número" inputMode="numeric" autoComplete="off" />
      <SelectField
        {...of('entity')}
        label="Entidad federativa"
        data={withOwn(ENTITIES, values.entity)}
        defaultValue={values.entity ?? 'Ciudad de México'}
      />
      <TextField {...text('municipality')} label="Municipio o alcaldía" autoComplete="off" />
      <TextField {...text('address')} label="Domicilio" autoComplete="street-address" />
      <SelectField
        {...of('timeZone')}
        label="Hora oficial"
        data={zones}
        defaultValue={values.timeZone ?? 'America/Mexico_City'}
      />
    </>
  )
}

/** Keeps a value that is not in the list. */
const withOwn = (names: readonly string[], own: string | undefined) =>
  own === undefined || names.includes(own) ? [...names] : [own, ...names]

/** The states, as named in article 43 of the Constitution. */
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
