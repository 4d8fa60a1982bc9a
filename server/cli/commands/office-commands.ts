import { type CommandDescription, MISUSE } from './command-description.ts'
import { REASON_OPTION } from './command-options.ts'

const text = (value: string, help: string) => ({ type: 'string', value, help }) as const

const OFFICE_NUMBER = {
  type: 'string',
  value: 'NÚMERO',
  help: 'número de la notaría; hace falta si hay varias',
} as const
const OFFICE_ENTITY = {
  type: 'string',
  value: 'ENTIDAD',
  help: 'su entidad federativa, si dos notarías tienen el mismo número',
} as const

/** The offices of the installation, es-MX. */
export const OFFICE_COMMANDS = {
  'office create': {
    summary: 'agrega otra notaría a la instalación',
    purpose:
      'Crea una notaría más, separada de las otras: sus personas, documentos, reglas y su propia bitácora. Muestra un enlace con el que su primer administrador elige una contraseña. Con la segunda notaría, la bitácora de la instalación se cierra con un punto de control y cada notaría sigue en la suya; las pruebas de antes valen para siempre. El servidor puede seguir trabajando.',
    forms: [
      '--number N --entity ENTIDAD --municipality MUNICIPIO --address DOMICILIO --time-zone ZONA --name NOMBRE',
      '    --first-name NOMBRE --last-name APELLIDOS --email CORREO --rfc RFC',
    ],
    options: {
      number: text('N', 'número de la notaría'),
      entity: text('ENTIDAD', 'entidad federativa'),
      municipality: text('MUNICIPIO', 'municipio o alcaldía'),
      address: text('DOMICILIO', 'domicilio'),
      'time-zone': text('ZONA', 'zona horaria, como America/Mexico_City'),
      name: text('NOMBRE', 'como se muestra: Notaría 12 de la Ciudad de México'),
      'first-name': text('NOMBRE', 'nombre de su primer administrador'),
      'last-name': text('APELLIDOS', 'sus apellidos'),
      email: text('CORREO', 'correo con que entrará'),
      rfc: text('RFC', 'su RFC'),
    },
    isOfServer: true,
    example:
      "rubrica office create --number 45 --entity Jalisco --municipality Guadalajara --address 'Av. Juárez 100' --time-zone America/Mexico_City --name 'Notaría 45 de Guadalajara' --first-name Ana --last-name 'Ruiz Soto' --email ana@notaria45.example --rfc RUSA800101AB1",
    exits: {
      0: 'se creó la notaría y se mostró el enlace',
      1: 'ya existe una notaría con ese número o una cuenta con ese correo, o la bitácora tiene una falla',
      2: MISUSE,
    },
  },
  'office list': {
    summary: 'muestra las notarías de la instalación',
    purpose: 'Muestra el identificador, el número y el nombre de cada notaría.',
    forms: [''],
    options: {},
    isOfServer: true,
    example: 'rubrica office list',
    exits: { 0: 'se mostraron', 2: MISUSE },
  },
  'office suspend': {
    summary: 'suspende una notaría, con un motivo',
    purpose:
      'Nadie de la notaría entra ni firma, tampoco sus firmantes externos ni sus programas; las sesiones abiertas dejan de valer en su siguiente petición. No se cambia ni se borra nada: lo que firmó se sigue verificando en público, y quien opera el servidor puede leer su bitácora y hacer respaldos. Queda en la bitácora.',
    forms: ['[--number NÚMERO] [--entity ENTIDAD] --reason TEXTO'],
    options: { number: OFFICE_NUMBER, entity: OFFICE_ENTITY, reason: REASON_OPTION },
    isOfServer: true,
    example: 'rubrica office suspend --number 12 --reason "Terminó el contrato 4/2026"',
    exits: {
      0: 'está suspendida',
      1: 'ninguna notaría, o más de una, es esa',
      2: 'las opciones están mal o no hay ninguna notaría en la carpeta de datos',
    },
  },
  'office resume': {
    summary: 'deja trabajar de nuevo a una notaría suspendida',
    purpose: 'La gente de la notaría puede entrar y firmar desde ahora. Queda en la bitácora.',
    forms: ['[--number NÚMERO] [--entity ENTIDAD] --reason TEXTO'],
    options: { number: OFFICE_NUMBER, entity: OFFICE_ENTITY, reason: REASON_OPTION },
    isOfServer: true,
    example: 'rubrica office resume --number 12 --reason "Se renovó el contrato 4/2026"',
    exits: {
      0: 'no está suspendida',
      1: 'ninguna notaría, o más de una, es esa',
      2: 'las opciones están mal o no hay ninguna notaría en la carpeta de datos',
    },
  },
} as const satisfies Record<string, CommandDescription>
