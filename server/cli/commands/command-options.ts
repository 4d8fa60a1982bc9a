/* Options that several commands of `rubrica` share, with their help. Texts are es-MX. */

export type Option = {
  type: 'string' | 'boolean'
  short?: string
  multiple?: true
  /** The value placeholder in the help: ARCHIVO, URL … */
  value?: string
  help: string
}

export const JSON_OPTION = {
  type: 'boolean',
  help: 'escribe el resultado como JSON, para programas; un objeto por línea',
} as const
export const TRUST_OPTION = {
  type: 'string',
  value: 'CARPETA',
  help: 'carpeta con los certificados de las autoridades en que usted confía (.cer, .crt, .der, .pem); sin ella no se confía en ninguna',
} as const
export const OUTPUT_OPTION = { type: 'string', short: 'o', value: 'ARCHIVO' } as const
export const LOG_KEY_OPTION = {
  type: 'string',
  multiple: true,
  value: 'CLAVE',
  help: 'llave pública con que se comprueba, como la muestra Auditoría; se puede repetir',
} as const

/** The sources of a key: an e.firma, a PKCS#12 file, a hardware token. */
export const KEY_OPTIONS = {
  cer: { type: 'string', value: 'ARCHIVO', help: 'certificado de la e.firma (.cer); va con --key' },
  key: { type: 'string', value: 'ARCHIVO', help: 'clave privada de la e.firma (.key)' },
  'key-password-env': {
    type: 'string',
    value: 'VARIABLE',
    help: 'variable de entorno que contiene la contraseña de --key',
  },
  p12: { type: 'string', value: 'ARCHIVO', help: 'certificado y clave en un archivo PKCS#12' },
  'p12-password-env': {
    type: 'string',
    value: 'VARIABLE',
    help: 'variable de entorno que contiene la contraseña de --p12',
  },
  pkcs11: {
    type: 'string',
    value: 'MÓDULO',
    help: 'biblioteca PKCS#11 del fabricante del token (.so, .dylib, .dll)',
  },
  token: {
    type: 'string',
    value: 'NOMBRE',
    help: 'nombre del token, cuando hay más de uno conectado',
  },
  'pin-env': {
    type: 'string',
    value: 'VARIABLE',
    help: 'variable de entorno que contiene el PIN del token',
  },
} as const satisfies Record<string, Option>

/** The signature level and its timestamp authority. */
export const LEVEL_OPTIONS = {
  tsa: { type: 'string', value: 'URL', help: 'autoridad que pone el sello de tiempo' },
  'tsa-user': { type: 'string', value: 'USUARIO', help: 'usuario ante esa autoridad' },
  'tsa-password-env': {
    type: 'string',
    value: 'VARIABLE',
    help: 'variable de entorno que contiene la contraseña ante esa autoridad',
  },
  level: {
    type: 'string',
    value: 'NIVEL',
    help: 'nivel PAdES: B-B, B-T, B-LT o B-LTA; si falta, B-T con --tsa y B-B sin ella',
  },
} as const satisfies Record<string, Option>

export const DEMO_OPTION = {
  type: 'boolean',
  help: 'la base de datos es la de una demostración, que puede confiar en autoridades de prueba',
} as const
export const REASON_OPTION = {
  type: 'string',
  value: 'TEXTO',
  help: 'motivo de la decisión, de 10 a 500 letras; queda en la bitácora',
} as const
