import { type CommandDescription, MISUSE } from './command-description.ts'
import { JSON_OPTION, OUTPUT_OPTION } from './command-options.ts'

/** Backups and their return, es-MX. */
export const BACKUP_COMMANDS = {
  backup: {
    summary: 'hace un respaldo cifrado de toda la instalación',
    purpose:
      'Escribe en ARCHIVO la base de datos, los archivos de los documentos, los puntos de control de la bitácora y las llaves de la instalación, cifrados para LLAVE: solo quien tiene la llave privada que le corresponde puede abrirlo. El servidor puede seguir trabajando. El formato es age; la llave se crea con “age-keygen” en otro equipo, y ahí se guarda la privada. La lista de lo que contiene queda en DATA_DIR/backups; con --since, el siguiente respaldo lleva solo lo nuevo.',
    forms: ['-o ARCHIVO --recipient LLAVE [--since LISTA] [--json]'],
    options: {
      output: {
        ...OUTPUT_OPTION,
        help: 'archivo en que se escribe el respaldo; se reemplaza si existe',
      },
      recipient: {
        type: 'string',
        value: 'LLAVE',
        help: 'llave pública para la que se cifra: age1…',
      },
      since: {
        type: 'string',
        value: 'LISTA',
        help: 'lista de un respaldo anterior, en DATA_DIR/backups: se omite lo que ese respaldo ya contiene; para restaurar se necesitan los dos',
      },
      json: JSON_OPTION,
    },
    isOfServer: true,
    example:
      'rubrica backup -o /media/respaldo/2026-11-20.age --recipient age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj',
    exits: {
      0: 'el respaldo está completo',
      1: 'el respaldo se hizo, pero faltaban archivos de documentos o llaves, o no se hizo; el motivo está en la salida de errores',
      2: MISUSE,
    },
  },
  restore: {
    summary: 'devuelve un respaldo a un lugar vacío',
    purpose:
      'Pone lo que contiene RESPALDO en las carpetas y la base de datos de esta instalación, que deben estar vacías, y revisa lo que quedó. Nada queda en su lugar antes de que se haya leído y comprobado todo. De un respaldo hecho con --since indique también los anteriores, hasta el completo. También devuelve las llaves; si la carpeta de llaves se conservó, deben ser las mismas.',
    forms: ['--identity ARCHIVO [--json] RESPALDO…'],
    options: {
      identity: {
        type: 'string',
        value: 'ARCHIVO',
        help: 'archivo con la llave privada, como lo escribe “age-keygen”: AGE-SECRET-KEY-1…',
      },
      json: JSON_OPTION,
    },
    isOfServer: true,
    example: 'rubrica restore --identity llave.txt completo.age lunes.age martes.age',
    exits: {
      0: 'se restauró, y no falta nada',
      1: 'no se restauró, o se restauró y algo falta; el motivo está en la salida de errores',
      2: MISUSE,
    },
  },
} as const satisfies Record<string, CommandDescription>
