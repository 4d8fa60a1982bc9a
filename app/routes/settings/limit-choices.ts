import { hours, minutes } from '#server/domain/time.ts'
import { choicesOf } from './choices.ts'

const MEGABYTE = 1 << 20

/** In bytes. */
export const uploadLimits = choicesOf(
  { '10': '10 MB', '25': '25 MB', '50': '50 MB', '100': '100 MB', '200': '200 MB' },
  (choice) => Number(choice) * MEGABYTE,
)

export const idleLimits = choicesOf(
  {
    '10': 'A los 10 minutos',
    '15': 'A los 15 minutos',
    '30': 'A los 30 minutos',
    '60': 'A los 60 minutos',
    '120': 'A las 2 horas',
  },
  (choice) => minutes(Number(choice)),
)

export const absoluteLimits = choicesOf(
  { '4': 'A las 4 horas', '8': 'A las 8 horas', '12': 'A las 12 horas', '24': 'A las 24 horas' },
  (choice) => hours(Number(choice)),
)
