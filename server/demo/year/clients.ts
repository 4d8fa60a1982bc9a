import { hasRfcCheckDigit, Rfc } from '#server/domain/identity/rfc.ts'
import type { Chance } from './chance.ts'

/** A fictitious person. */
export type Client = { isWoman: boolean; first: string; last: string; name: string }

const WOMEN = [
  ...['Guadalupe', 'Verónica', 'Rocío', 'Inés', 'Carmen Lucía', 'Ángela', 'Beatriz', 'Renata'],
  ...['Graciela', 'Leonor', 'Itzel', 'Socorro', 'Mónica', 'Elvira', 'Ana Belén', 'Jimena'],
]
const MEN = [
  ...['Ernesto', 'Raúl', 'Joaquín', 'Héctor', 'Íñigo', 'Adrián', 'Saúl', 'José María'],
  ...['Emiliano', 'Gonzalo', 'Julián', 'Ulises', 'Andrés', 'Efraín', 'Ramón', 'Luis Ángel'],
]
const SURNAMES = [
  ...['Acevedo', 'Barragán', 'Cárdenas', 'De la Peña', 'Escalante', 'Figueroa', 'Güitrón'],
  ...['Huerta', 'Ibargüengoitia', 'Juárez', 'Larrañaga', 'Montaño', 'Narváez', 'Olvera'],
  ...['Patiño', 'Quintanilla', 'Rentería', 'Saldaña', 'Tejeda', 'Urrutia', 'Villagómez', 'Zúñiga'],
]
const FIRMS = [
  ...['Ferretera del Pedregal', 'Laboratorios Ñuu', 'Transportes Cuicuilco', 'Papelera Anáhuac'],
  ...['Inmobiliaria Los Ahuehuetes', 'Panificadora La Espiga', 'Constructora Ajusco'],
  ...['Textiles Zacahuitzco', 'Servicios Médicos Coyohuacan', 'Editorial Tonalá'],
  ...['Grupo Cafetalero Pluma', 'Tecnologías Xitle', 'Agrícola El Bajío', 'Hotelera Taxqueña'],
]

export function drawClient(chance: Chance): Client {
  const isWoman = chance.below(2) === 0
  const first = chance.pick(isWoman ? WOMEN : MEN)
  const paternal = chance.pick(SURNAMES)
  const maternal = chance.pick(SURNAMES.filter((surname) => surname !== paternal))
  const last = `${paternal} ${maternal}`
  return { isWoman, first, last, name: `${first} ${last}` }
}

/** `don Ernesto Patiño Huerta` */
export const addressed = ({ isWoman, name }: Client) => `${isWoman ? 'doña' : 'don'} ${name}`

/** `Vendedora` for a woman. @param masculine `Vendedor` */
export function characterOf({ isWoman }: Client, masculine: string): string {
  if (!isWoman || /[ae]$/.test(masculine)) return masculine
  return masculine.endsWith('o') ? `${masculine.slice(0, -1)}a` : `${masculine}a`
}

export const drawFirm = (chance: Chance) => `${chance.pick(FIRMS)}, S.A. de C.V.`

/** A key of the right form, with its check digit. */
export function rfcOf({ first, last }: Client, chance: Chance): Rfc {
  const [paternal = '', maternal = ''] = [last.split(' ')[0], last.split(' ').at(-1)].map(plain)
  const letters = `${paternal.slice(0, 2)}${maternal.slice(0, 1)}${plain(first).slice(0, 1)}`
  const two = (number: number) => String(number).padStart(2, '0')
  const born = `${55 + chance.below(44)}${two(1 + chance.below(12))}${two(1 + chance.below(28))}`
  const body = `${letters}${born}${chance.pick([...'ABCDGHJKLM'])}${chance.below(10)}`
  for (const digit of '0123456789A') {
    const rfc = Rfc.parse(body + digit)
    if (hasRfcCheckDigit(rfc)) return rfc
  }
  throw new Error(`${body} has no check digit`)
}

const plain = (text = '') =>
  text
    .normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toUpperCase()
