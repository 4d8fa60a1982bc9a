import type { SignatureReport } from '#server/domain/verification/report.ts'
import { MODIFICATIONS } from './terms.ts'

/** A check of a signature, es-MX. */
export type Check = { isGood: boolean; text: string }

const CHECKS = {
  signature: {
    intact: 'Lo que se firmó está íntegro',
    altered: 'Lo que se firmó fue alterado',
    uncompared: 'No se pudo comprobar que lo que se firmó esté íntegro',
    valid: 'La firma corresponde al certificado',
    invalid: 'La firma no corresponde al certificado',
    unchecked: 'No se pudo comprobar que la firma corresponda al certificado',
    changes: 'Cambios después de firmar',
  },
  stamp: {
    intact: 'Lo que cubre el sello está íntegro',
    altered: 'Lo que cubre el sello fue alterado',
    uncompared: 'No se pudo comprobar que lo que cubre el sello esté íntegro',
    valid: 'El sello corresponde al certificado de la autoridad',
    invalid: 'El sello no corresponde al certificado de la autoridad',
    unchecked: 'No se pudo comprobar que el sello corresponda al certificado de la autoridad',
    changes: 'Cambios después del sello',
  },
} as const

/**
 * What was checked of a signature or a document timestamp, and with what result. Altered and false are said only where
 * a digest or a key says so; a file that was altered itself is not said to have no changes.
 */
export function checksOf(signature: SignatureReport): Check[] {
  const { kind, intact, valid, trusted, modification, docMdp, fieldMdp } = signature
  const words = CHECKS[kind === 'document-timestamp' ? 'stamp' : 'signature']
  const warns = (code: string) => signature.warnings.some((one) => one.code === code)
  const isForbidden = docMdp?.respected === false || fieldMdp.some(({ respected }) => !respected)
  const isAltered = modification === 'OTHER' || modification === 'ANNOTATIONS' || isForbidden
  const failedDigest = warns('signed-content-differs') ? words.altered : words.uncompared
  const failedKey = warns('signature-differs') ? words.invalid : words.unchecked
  const changes = `${words.changes}: ${MODIFICATIONS[modification].toLowerCase()}`
  return [
    { isGood: intact, text: intact ? words.intact : failedDigest },
    { isGood: valid, text: valid ? words.valid : failedKey },
    {
      isGood: trusted,
      text: trusted
        ? 'Una autoridad reconocida emitió el certificado'
        : 'No se reconoce a la autoridad que emitió el certificado',
    },
    ...(intact || modification !== 'NONE' ? [{ isGood: !isAltered, text: changes }] : []),
    ...(isForbidden ? [{ isGood: false, text: 'Se cambió algo que esta firma prohíbe' }] : []),
  ]
}
