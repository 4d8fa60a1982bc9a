import { line } from './text.ts'

/** First or last names in any alphabet: `María José`, `de la Peña Güereca`. */
export const PersonName = line(100)

/** `JP` for Juan Carlos Pérez Soto: the initials of the first name and first last name. */
export function initials(person: { firstName: string; lastName: string }): string {
  return [person.firstName, person.lastName].map(firstLetter).join('')
}

/** `Juan Carlos Pérez Soto` */
export function fullName(person: { firstName: string; lastName: string }): string {
  return `${person.firstName} ${person.lastName}`
}

const alphabet = new Intl.Collator('es-MX')

/** Sorts by last name, then by first name, in the Spanish alphabet: `Ávila`, `Núñez`, `Ñáñez`. */
export const byLastName = (one: Name, other: Name): number =>
  alphabet.compare(one.lastName, other.lastName) || alphabet.compare(one.firstName, other.firstName)

type Name = { firstName: string; lastName: string }

/** Last-name particles, skipped for initials. */
const PARTICLES = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'van', 'von', 'da', 'di'])

function firstLetter(name: string): string {
  const words = name.trim().split(/\s+/u)
  const word = words.find((candidate) => !PARTICLES.has(candidate.toLowerCase())) ?? words[0]
  return [...(word ?? '')][0]?.toUpperCase() ?? ''
}
