/** The first thing about a log that is not as it must be. Events count from 0. */
export type LogFault =
  /** The event is not what its leaf says. */
  | { kind: 'changed'; seq: number }
  /** No event has this number, and later ones are there. */
  | { kind: 'missing'; seq: number }
  /** The event does not stand at its place, but behind later ones. */
  | { kind: 'moved'; seq: number }
  /** An event with a number that is there already stands at this place. */
  | { kind: 'added'; seq: number }
  /** An event from `from` up to, not including, `to` was changed; it is not known which one. */
  | { kind: 'rewritten'; from: number; to: number }
  /** A checkpoint counts `size` events, and there are fewer. */
  | { kind: 'cut'; events: number; size: number }
  /** The database does not have this checkpoint, which is kept outside of it. */
  | { kind: 'rolled-back'; size: number }
  /** Two checkpoints count so many events and have different roots. */
  | { kind: 'forked'; size: number }
  /** A checkpoint was not signed by the key of the log. */
  | { kind: 'forged'; size: number }
  /** The line of the file is not what may stand in an export. */
  | { kind: 'unreadable'; line: number }

/** Nothing may be signed over this log. */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch'
  readonly fault: LogFault

  constructor(fault: LogFault) {
    super(`the log does not hold: ${JSON.stringify(fault)}`)
    this.fault = fault
  }
}

/** What is wrong, es-MX. */
export function sentenceOfFault(fault: LogFault): string {
  switch (fault.kind) {
    case 'changed':
      return `El evento ${fault.seq} de la bitácora fue cambiado: su contenido no es el de su hoja.`
    case 'missing':
      return `Falta el evento ${fault.seq} de la bitácora.`
    case 'moved':
      return `El evento ${fault.seq} de la bitácora no está en su lugar: viene detrás de otros posteriores.`
    case 'added':
      return `En el lugar ${fault.seq} de la bitácora hay un evento agregado: su número ya estaba.`
    case 'rewritten':
      return fault.to - fault.from === 1
        ? `El evento ${fault.from} de la bitácora no es el que se firmó: se cambiaron él y su hoja.`
        : `Entre los eventos ${fault.from} y ${fault.to - 1} de la bitácora hay al menos uno cambiado, agregado, quitado o movido: con ellos no se llega a la raíz que se firmó.`
    case 'cut':
      return `A la bitácora le falta el final: hay ${fault.events} eventos y un punto de control firmado cuenta ${fault.size}; el primero que falta es el ${fault.events}.`
    case 'rolled-back':
      return `La base de datos no tiene el punto de control firmado sobre ${fault.size} eventos que se guardó fuera de ella: la bitácora volvió a un estado anterior o se alteró.`
    case 'forked':
      return `Hay dos puntos de control firmados sobre ${fault.size} eventos, con raíces distintas: hubo dos bitácoras.`
    case 'forged':
      return `El punto de control sobre ${fault.size} eventos no está firmado con la clave de la bitácora.`
    case 'unreadable':
      return `El renglón ${fault.line} del archivo no es de una bitácora exportada.`
  }
}
