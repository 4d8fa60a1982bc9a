import type { LogFault } from '#server/domain/audit/log-fault.ts'

/** What is wrong with the log, es-MX. */
export function sentenceOfLogFault(fault: LogFault): string {
  switch (fault.kind) {
    case 'changed':
      return `El evento ${fault.seq} de la bitácora fue cambiado: su contenido no es el de su hoja.`
    case 'missing':
      return `Falta el evento ${fault.seq} de la bitácora.`
    case 'misfiled':
      return `El evento ${fault.seq} de la bitácora es el que se firmó, pero en la base de datos está archivado con otra notaría, fecha, persona, acción o asunto: las páginas no lo muestran donde debe estar.`
    case 'moved':
      return `El evento ${fault.seq} de la bitácora no está en su lugar: viene detrás de otros posteriores.`
    case 'added':
      return `En el lugar ${fault.seq} de la bitácora hay un evento agregado: su número ya estaba.`
    case 'beyond-end':
      return `La bitácora está cerrada, y desde el evento ${fault.seq} tiene eventos que nadie firmó.`
    case 'rewritten':
      return fault.to - fault.from === 1
        ? `El evento ${fault.from} de la bitácora no es el que se firmó: se cambiaron él y su hoja.`
        : `Entre los eventos ${fault.from} y ${fault.to - 1} de la bitácora hay al menos uno cambiado, agregado, quitado o movido: con ellos no se llega a la raíz que se firmó.`
    case 'cut':
      return `A la bitácora le falta el final: hay ${eventsOf(fault.events)} y un punto de control firmado cuenta ${fault.size}; el primero que falta es el ${fault.events}.`
    case 'rolled-back':
      return `La base de datos no tiene el punto de control firmado sobre ${eventsOf(fault.size)} que se guardó fuera de ella: la bitácora volvió a un estado anterior o se alteró.`
    case 'forked':
      return `Hay dos puntos de control firmados sobre ${eventsOf(fault.size)}, con raíces distintas: hubo dos bitácoras.`
    case 'forged':
      return `El punto de control sobre ${eventsOf(fault.size)} no está firmado con la clave de la bitácora.`
    case 'unreadable':
      return `El renglón ${fault.line} del archivo no es de una bitácora exportada.`
  }
}

const eventsOf = (count: number) => `${count} evento${count === 1 ? '' : 's'}`
