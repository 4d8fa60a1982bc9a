import { type Duration, days, hours } from '#server/domain/time.ts'
import { choicesOf } from './choices.ts'

/** The options of the second-factor policy: not required, or required after a number of days. */
export const secondFactorChoices = choicesOf(
  {
    none: 'No se exige',
    '0': 'Se exige desde el primer acceso',
    '7': 'Se exige a los 7 días de activar la cuenta',
    '14': 'Se exige a los 14 días de activar la cuenta',
    '30': 'Se exige a los 30 días de activar la cuenta',
  },
  (choice): Duration | null => (choice === 'none' ? null : days(Number(choice))),
)

/** Returns the policy as the settings show it. */
export function secondFactorWords(grace: Duration | null): string {
  const words = secondFactorChoices.words[secondFactorChoices.of(grace)]
  return words ?? `Se exige a las ${Math.round((grace ?? 0) / hours(1))} horas de activar la cuenta`
}
