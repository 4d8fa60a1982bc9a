import { z } from 'zod'
import { type Duration, days, hours } from '#server/domain/time.ts'

/** What an office may ask of its people, by the days that they have for it. */
export const secondFactorChoices = {
  none: 'No se exige',
  '0': 'Se exige desde el primer acceso',
  '7': 'Se exige a los 7 días de activar la cuenta',
  '14': 'Se exige a los 14 días de activar la cuenta',
  '30': 'Se exige a los 30 días de activar la cuenta',
} as const

type Choice = keyof typeof secondFactorChoices

const CHOICES = Object.keys(secondFactorChoices) as [Choice, ...Choice[]]

/** The choice as the grace that it gives. */
export const SecondFactorChoice = z
  .enum(CHOICES)
  .transform((choice): Duration | null => (choice === 'none' ? null : days(Number(choice))))

/** The choice that stands for a grace; undefined for one that no choice gives. */
export const choiceOf = (grace: Duration | null): Choice | undefined =>
  CHOICES.find((choice) => SecondFactorChoice.parse(choice) === grace)

/** How the settings say it. */
export function secondFactorWords(grace: Duration | null): string {
  const choice = choiceOf(grace)
  if (choice) return secondFactorChoices[choice]
  return `Se exige a las ${Math.round((grace ?? 0) / hours(1))} horas de activar la cuenta`
}
