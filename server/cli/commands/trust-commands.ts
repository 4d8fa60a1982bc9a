import { type CommandDescription, MISUSE } from './command-description.ts'
import { DEMO_OPTION, REASON_OPTION } from './command-options.ts'

/** The trusted authorities, es-MX. */
export const TRUST_COMMANDS = {
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
      'Lee los archivos que publican las autoridades (.zip, .cer, .crt, .pem, .p7b). Las que el programa conoce por su huella SHA-256 cuentan desde ese momento; las demás esperan una decisión (“trust accept”).',
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
      'Confía desde ahora en la autoridad que tiene la HUELLA SHA-256, que antes se trajo con “trust import”.',
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
