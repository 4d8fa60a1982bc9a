/*
 * Every command of `rubrica`: the options that it parses and their help, in one place so that they cannot
 * differ. Texts are es-MX.
 */

import {
  DEMO_OPTION,
  JSON_OPTION,
  KEY_OPTIONS,
  LEVEL_OPTIONS,
  LOG_KEY_OPTION,
  type Option,
  OUTPUT_OPTION,
  REASON_OPTION,
  TRUST_OPTION,
} from './command-options.ts'

export type CommandDescription = {
  /** One line in the list of all commands. */
  summary: string
  purpose: string
  /** The arguments after the name, one entry per form. */
  forms: readonly string[]
  /** Continues below the last form. */
  more?: string
  options: Readonly<Record<string, Option>>
  /** Set if it works on a server's data, with that server's environment. */
  isOfServer?: true
  example: string
  /** The meaning of each exit status. */
  exits: Readonly<Partial<Record<0 | 1 | 2, string>>>
}

const MISUSE = 'las opciones están mal o no se puede leer lo que se indicó'

const { pkcs11, token, 'pin-env': pinEnv } = KEY_OPTIONS

export const COMMANDS = {
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
  'audit export': {
    summary: 'escribe toda la bitácora con sus puntos de control firmados',
    purpose:
      'Firma un punto de control sobre el final de la bitácora y la escribe completa en un archivo. El servidor puede seguir trabajando: lo que escriba mientras tanto queda fuera y se dice cuánto es.',
    forms: ['-o ARCHIVO'],
    options: { output: { ...OUTPUT_OPTION, help: 'archivo en que se escribe la bitácora' } },
    isOfServer: true,
    example: 'rubrica audit export -o bitacora.jsonl',
    exits: {
      0: 'se exportó y todo está firmado',
      1: 'la bitácora no coincide con lo que se firmó; se exportó como está',
      2: 'las opciones están mal o no está la clave de la bitácora',
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
  doctor: {
    summary: 'revisa si a la instalación le falta algo',
    purpose:
      'Revisa la bitácora contra sus puntos de control, los archivos contra la base de datos, las llaves, el espacio del disco, el correo, las autoridades de sellos de tiempo y el reloj. No cambia nada; el servidor puede seguir trabajando.',
    forms: ['[--all] [--json]'],
    options: {
      all: { type: 'boolean', help: 'lee entero cada archivo guardado y compara su SHA-256' },
      json: JSON_OPTION,
    },
    isOfServer: true,
    example: 'rubrica doctor --all',
    exits: {
      0: 'no falta nada, o solo hay recomendaciones',
      1: 'algo se perdió o no funciona',
      2: 'las opciones están mal o no hay ninguna notaría en la carpeta de datos',
    },
  },
  'lift-lock': {
    summary: 'quita el bloqueo de una cuenta que tuvo demasiados intentos fallidos',
    purpose:
      'Permite que una persona intente entrar de nuevo sin esperar a que termine el bloqueo de su cuenta. Es para la notaría cuyo único administrador no puede entrar; los demás lo quitan en «Usuarios». No cambia la contraseña ni la verificación en dos pasos. Queda en la bitácora.',
    forms: ['--email CORREO'],
    options: {
      email: { type: 'string', value: 'CORREO', help: 'correo con que entra la persona' },
    },
    isOfServer: true,
    example: 'rubrica lift-lock --email titular@notaria.example',
    exits: {
      0: 'la cuenta no tiene ningún bloqueo',
      1: 'ninguna persona tiene ese correo',
      2: 'las opciones están mal o no hay ninguna notaría en la carpeta de datos',
    },
  },
  'recover-administrator': {
    summary: 'crea un enlace para un administrador que olvidó su contraseña',
    purpose:
      'Muestra un enlace que sirve una vez, durante 24 horas, para que un administrador elija una contraseña nueva. Es para la notaría cuyo único administrador no puede entrar; los demás lo crean en «Usuarios». No cambia la verificación en dos pasos. Queda en la bitácora y avisa a todas las personas de la notaría.',
    forms: ['--email CORREO'],
    options: {
      email: { type: 'string', value: 'CORREO', help: 'correo con que entra el administrador' },
    },
    isOfServer: true,
    example: 'rubrica recover-administrator --email titular@notaria.example',
    exits: {
      0: 'se mostró el enlace',
      1: 'ningún administrador activo tiene ese correo',
      2: 'las opciones están mal o no hay ninguna notaría en la carpeta de datos',
    },
  },
  'rotate-keys': {
    summary: 'cifra de nuevo los secretos de la base de datos',
    purpose:
      'Crea una llave nueva y cifra con ella todos los secretos de la base de datos. El servidor puede seguir trabajando; si se interrumpe, la siguiente ejecución termina lo que falta.',
    forms: ['[--drop-old]'],
    options: {
      'drop-old': {
        type: 'boolean',
        help: 'no crea ninguna llave: borra las anteriores que ya no cifran nada, una hora después o más',
      },
    },
    isOfServer: true,
    example: 'rubrica rotate-keys',
    exits: {
      0: 'todos los secretos están cifrados con la llave más nueva',
      1: 'algún secreto no se pudo abrir y quedó como estaba',
      2: 'las opciones están mal o no hay llaves en la carpeta de secretos',
    },
  },
  'trust list': {
    summary: 'muestra las autoridades de confianza',
    purpose:
      'Muestra cada autoridad de esta instalación: su huella SHA-256, si cuenta, su vigencia y dónde se le pregunta por la revocación.',
    forms: [''],
    options: {},
    isOfServer: true,
    example: 'rubrica trust list',
    exits: { 0: 'se mostraron', 2: MISUSE },
  },
  'trust import': {
    summary: 'trae los certificados que publica una autoridad',
    purpose:
      'Lee los archivos que publican las autoridades (.zip, .cer, .crt, .pem, .p7b). Las que el programa conoce por su huella SHA-256 cuentan desde ese momento; las demás esperan una decisión («trust accept»).',
    forms: ['[--demo] ARCHIVO…'],
    options: { demo: DEMO_OPTION },
    isOfServer: true,
    example: 'rubrica trust import Cert_Prod.zip',
    exits: {
      0: 'todas cuentan',
      1: 'alguna espera una decisión, se rechazó o no se leyó',
      2: MISUSE,
    },
  },
  'trust accept': {
    summary: 'acepta una autoridad, con un motivo',
    purpose:
      'Confía desde ahora en la autoridad que tiene la HUELLA SHA-256, que antes se trajo con «trust import».',
    forms: ['HUELLA --reason TEXTO [--revocation required|when-available] [--ocsp URL]… [--demo]'],
    options: {
      reason: REASON_OPTION,
      revocation: {
        type: 'string',
        value: 'EXIGENCIA',
        help: 'required exige saber si un certificado fue revocado; when-available, cuando hay respuesta; si falta, required',
      },
      ocsp: {
        type: 'string',
        multiple: true,
        value: 'URL',
        help: 'dirección donde se le pregunta por la revocación; se puede repetir',
      },
      demo: DEMO_OPTION,
    },
    isOfServer: true,
    example:
      'rubrica trust accept 9F86…0A08 --reason "Autoridad del convenio 12/2026" --ocsp http://ocsp.autoridad.mx',
    exits: { 0: 'se aceptó', 1: 'se rechazó; el motivo está en la salida de errores', 2: MISUSE },
  },
  'trust remove': {
    summary: 'deja de confiar en una autoridad, con un motivo',
    purpose: 'Deja de confiar desde ahora en la autoridad que tiene la HUELLA SHA-256.',
    forms: ['HUELLA --reason TEXTO'],
    options: { reason: REASON_OPTION },
    isOfServer: true,
    example: 'rubrica trust remove 9F86…0A08 --reason "Dejó de emitir certificados en 2026"',
    exits: { 0: 'se retiró', 1: 'se rechazó; el motivo está en la salida de errores', 2: MISUSE },
  },
} as const satisfies Record<string, CommandDescription>

export type CommandName = keyof typeof COMMANDS

/** The first word of each command. */
export type TopCommand = CommandName extends infer Name
  ? Name extends `${infer First} ${string}`
    ? First
    : Name
  : never

/** The subcommands of `audit` or `trust`. */
export type SubCommand<Group extends TopCommand> = CommandName extends infer Name
  ? Name extends `${Group} ${infer Second}`
    ? Second
    : never
  : never
