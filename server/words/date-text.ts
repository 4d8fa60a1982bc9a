/* Shipped to the browser. */

const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  )

/**
 * `8 de mayo de 2027`. The month by our own list: platforms write Spanish dates differently.
 *
 * @param at milliseconds since 1970
 */
export function dateText(at: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]))
  return `${parts.day} de ${MONTHS[Number(parts.month) - 1]} de ${parts.year}`
}
