import type { NumberState } from '#server/domain/documents/numbers/number-entry.ts'

/* Words for the register of instrument numbers, es-MX. */

export const numberStates: Record<NumberState, string> = {
  used: 'Usado',
  reserved: 'Apartado',
  left: 'Sin usar, falta el motivo',
  unused: 'Sin usar',
  missing: 'Falta',
}

/** Plural, for filters. */
export const numberStatesOfMany: Record<NumberState, string> = {
  missing: 'Faltan',
  left: 'Sin usar, falta el motivo',
  reserved: 'Apartados',
  unused: 'Sin usar, con motivo',
  used: 'Usados',
}

/** `4,530`, `4,530 a 4,532` */
export const rangeText = ({ first, last }: { first: number; last: number }): string =>
  first === last
    ? first.toLocaleString('es-MX')
    : `${first.toLocaleString('es-MX')} a ${last.toLocaleString('es-MX')}`

/** What the log calls a number, or a range of them: `4,530 a 4,532 de Escrituras y actas`. */
export const nameOfNumber = (
  { name }: { name: string },
  range: { first: number; last: number },
): string => `${rangeText(range)} de ${name}`

/** `1 número`, `1,204 números` */
export const countOfNumbers = (count: number): string =>
  count === 1 ? '1 número' : `${count.toLocaleString('es-MX')} números`
