/** January first, es-MX. Our own list: platforms write Spanish dates differently. */
export const MONTH_NAMES: readonly string[] = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
]
