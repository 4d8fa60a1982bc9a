import { type CommandDescription, MISUSE } from './command-description.ts'
import { JSON_OPTION, LOG_KEY_OPTION, OUTPUT_OPTION } from './command-options.ts'

/** The log, es-MX. */
export const LOG_COMMANDS = {
  'audit export': {
    summary: 'escribe toda la bitácora con sus puntos de control firmados',
    purpose:
      'Firma un punto de control sobre el final de la bitácora y la escribe completa en un archivo. El servidor puede seguir trabajando: lo que escriba mientras tanto queda fuera y se dice cuánto es.',
    forms: ['-o ARCHIVO [--log NÚMERO]'],
    options: {
      output: { ...OUTPUT_OPTION, help: 'archivo en que se escribe la bitácora' },
      log: {
        type: 'string',
        value: 'NÚMERO',
        help: 'cuál bitácora, donde hay varias notarías; sin ella se dice cuáles hay',
      },
    },
    isOfServer: true,
    example: 'rubrica audit export -o bitacora.jsonl',
    exits: {
      0: 'se exportó y todo está firmado',
      1: 'la bitácora no coincide con lo que se firmó; se exportó como está',
      2: 'las opciones están mal o no está la llave de la bitácora',
    },
  },
  'audit verify': {
    summary: 'dice si una bitácora exportada es la que se firmó',
    purpose:
      'Comprueba una bitácora exportada sin conexión y dice cuál es el primer evento cambiado, agregado, quitado o movido.',
    forms: ['[--key CLAVE] [--checkpoint ARCHIVO]… [--json] ARCHIVO'],
    options: {
      json: JSON_OPTION,
      key: LOG_KEY_OPTION,
      checkpoint: {
        type: 'string',
        multiple: true,
        value: 'ARCHIVO',
        help: 'punto de control que usted guardó: descubre si se quitó el final; se puede repetir y va con --key',
      },
    },
    example: "rubrica audit verify --key 'rubrica/bitacora/…' bitacora.jsonl",
    exits: {
      0: 'ÍNTEGRA: cada evento es uno de los que se firmaron',
      1: 'ALTERADA o SIN COMPROBAR',
      2: MISUSE,
    },
  },
  'audit verify-proof': {
    summary: 'dice si un evento consta en la bitácora que se firmó',
    purpose:
      'Comprueba sin conexión las pruebas de que un evento consta en la bitácora; están en la página pública de verificación y en el paquete de evidencia.',
    forms: ['--key CLAVE [--events ARCHIVO] [--json] ARCHIVO'],
    options: {
      json: JSON_OPTION,
      key: LOG_KEY_OPTION,
      events: {
        type: 'string',
        value: 'ARCHIVO',
        help: 'los eventos mismos, como vienen en el paquete de evidencia: comprueba que la prueba sea de ellos',
      },
    },
    example:
      "rubrica audit verify-proof --key 'rubrica/bitacora/…' --events bitacora/eventos.jsonl pruebas.json",
    exits: { 0: 'todas las pruebas se comprobaron', 1: 'alguna no se comprobó', 2: MISUSE },
  },
} as const satisfies Record<string, CommandDescription>
