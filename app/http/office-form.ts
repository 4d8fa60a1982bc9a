import { OfficeIdentity } from '#server/domain/identity/office.ts'
import { MEXICAN_ZONES, zoneName } from '#server/domain/time.ts'
import { withSentence } from './with-sentence.ts'

const { shape } = OfficeIdentity

/** The schema of `OfficeFields`, each field with the sentence for an invalid value. */
export const officeFields = {
  name: withSentence(shape.name, 'Escriba el nombre de la notaría.'),
  number: withSentence(shape.number, 'Escriba el número de la notaría, con cifras.'),
  entity: withSentence(shape.entity, 'Elija la entidad federativa.'),
  municipality: withSentence(shape.municipality, 'Escriba el municipio o la alcaldía.'),
  address: withSentence(shape.address, 'Escriba el domicilio de la notaría.'),
  timeZone: withSentence(shape.timeZone, 'Elija la hora oficial de la notaría.'),
}

/** Returns the time zones of Mexico, and the office's own if it is another one. */
export function zoneChoices(own?: string): { value: string; label: string }[] {
  const zones = new Set<string>([...MEXICAN_ZONES, ...(own === undefined ? [] : [own])])
  return [...zones].map((value) => ({ value, label: zoneLabel(value) }))
}

/** `Hora del centro` */
export function zoneLabel(zone: string): string {
  const name = zoneName(zone)
  return name.charAt(0).toUpperCase() + name.slice(1)
}
