import { type CommandDescription, MISUSE } from './command-description.ts'
import {
  JSON_OPTION,
  KEY_OPTIONS,
  LEVEL_OPTIONS,
  OUTPUT_OPTION,
  TRUST_OPTION,
} from './command-options.ts'

const { pkcs11, token, 'pin-env': pinEnv } = KEY_OPTIONS

/** Signing and verifying, es-MX. */
export const SIGNING_COMMANDS = {
  sign: {
    summary: 'firma un PDF con una e.firma, un archivo PKCS#12 o un token',
    purpose:
      'Agrega una firma PAdES a ENTRADA y escribe el resultado en SALIDA, que se reemplaza si existe. Antes verifica ENTRADA, dice lo que encontró y pregunta a las autoridades si su certificado fue revocado; con uno revocado no se firma. Lo que se escribe ya pasó la verificación; si algo falla, no queda ningún archivo.',
    forms: [
      '--cer ARCHIVO --key ARCHIVO --key-password-env VARIABLE [--trust CARPETA] ENTRADA -o SALIDA',
      '--p12 ARCHIVO --p12-password-env VARIABLE [--trust CARPETA] ENTRADA -o SALIDA',
      '--pkcs11 MÓDULO [--token NOMBRE] --pin-env VARIABLE [--trust CARPETA] ENTRADA -o SALIDA',
    ],
    more: '… con sellos de tiempo: [--tsa URL [--tsa-user USUARIO --tsa-password-env VARIABLE]] [--level B-B|B-T|B-LT|B-LTA] [--acknowledge] [--offline]',
    options: {
      ...KEY_OPTIONS,
      ...LEVEL_OPTIONS,
      trust: TRUST_OPTION,
      output: { ...OUTPUT_OPTION, help: 'archivo firmado; debe ser otro que ENTRADA' },
      acknowledge: {
        type: 'boolean',
        help: 'firma aunque las firmas que ENTRADA ya trae no sean válidas, o aunque traiga XFA, JavaScript, acciones, archivos adjuntos o capas: usted vio lo que se encontró',
      },
      offline: {
        type: 'boolean',
        help: 'no pregunta nada a las autoridades: no se sabe si su certificado fue revocado',
      },
    },
    example:
      'CLAVE=… rubrica sign --cer yo.cer --key yo.key --key-password-env CLAVE --trust sat/ escritura.pdf -o firmada.pdf',
    exits: {
      0: 'el archivo quedó firmado',
      1: 'no se firmó; el motivo está en la salida de errores',
      2: MISUSE,
    },
  },
  verify: {
    summary: 'dice si las firmas de archivos PDF son válidas',
    purpose:
      'Comprueba las firmas de cada archivo y escribe un informe por archivo, en el orden en que se indicaron. Pregunta a las autoridades si revocaron los certificados, salvo con --offline.',
    forms: ['[--json] [--trust CARPETA] [--at FECHA] [--constancia ARCHIVO] [--offline] ARCHIVO…'],
    options: {
      json: JSON_OPTION,
      trust: TRUST_OPTION,
      at: {
        type: 'string',
        value: 'FECHA',
        help: 'juzga como en esa fecha, por ejemplo 2026-11-20T15:05:00Z; si falta, ahora',
      },
      constancia: {
        type: 'string',
        value: 'ARCHIVO',
        help: 'constancia de conservación NOM-151 que acompaña al archivo; solo con un archivo',
      },
      offline: { type: 'boolean', help: 'no pregunta nada a las autoridades' },
    },
    example: 'rubrica verify --trust sat/ firmada.pdf',
    exits: {
      0: 'todos los archivos son válidos, y también la constancia si se indicó',
      1: 'algún archivo no es válido o no se pudo determinar',
      2: 'las opciones están mal o algún archivo no se puede leer',
    },
  },
  'verify-intent': {
    summary: 'comprueba otra vez la evidencia de que quien firmó estaba presente',
    purpose:
      'Comprueba la evidencia de presencia de los archivos que se bajan de un documento. Sin archivos comprueba toda la de la base de datos, y que la bitácora diga lo mismo.',
    forms: ['[--json] [--origin DIRECCIÓN] [ARCHIVO…]'],
    options: {
      json: JSON_OPTION,
      origin: {
        type: 'string',
        value: 'DIRECCIÓN',
        help: 'exige que la llave de seguridad se haya usado en ese sitio, por ejemplo https://rubrica.notaria.mx',
      },
    },
    isOfServer: true,
    example: 'rubrica verify-intent --origin https://rubrica.notaria.mx presencia.json',
    exits: {
      0: 'toda la evidencia se comprobó',
      1: 'alguna no se comprobó, falta o solo la bitácora puede probarla',
      2: MISUSE,
    },
  },
  agent: {
    summary: 'firma con un token de este equipo lo que espera en el servidor',
    purpose:
      'Pregunta al servidor qué documentos esperan la firma de quien creó el token de acceso en Mi Perfil, muestra cada uno y lo firma con el token de este equipo. Sigue hasta que se interrumpe; lo que ya se firmó queda firmado.',
    forms: [
      '--server URL --token-env VARIABLE --pkcs11 MÓDULO [--token NOMBRE] --pin-env VARIABLE [--once]',
    ],
    options: {
      server: { type: 'string', value: 'URL', help: 'dirección del servidor de la notaría' },
      'token-env': {
        type: 'string',
        value: 'VARIABLE',
        help: 'variable de entorno que contiene el token de acceso',
      },
      pkcs11,
      token,
      'pin-env': pinEnv,
      once: { type: 'boolean', help: 'termina cuando no queda nada que firmar' },
    },
    example:
      'ACCESO=rubrica_… PIN=… rubrica agent --server https://rubrica.notaria.mx --token-env ACCESO --pkcs11 /usr/lib/x86_64-linux-gnu/libykcs11.so --pin-env PIN --once',
    exits: {
      0: 'se interrumpió, o no quedó nada por firmar',
      1: 'algo no se firmó; el motivo está en la salida de errores',
      2: MISUSE,
    },
  },
} as const satisfies Record<string, CommandDescription>
