import type { Warning } from '#server/domain/verification/codes/warning.ts'
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
    outOfForce: 'No está probado que el certificado estuviera vigente al firmar',
    changes: 'Cambios después de firmar',
  },
  stamp: {
    intact: 'Lo que cubre el sello está íntegro',
    altered: 'Lo que cubre el sello fue alterado',
    uncompared: 'No se pudo comprobar que lo que cubre el sello esté íntegro',
    valid: 'El sello corresponde al certificado de la autoridad',
    invalid: 'El sello no corresponde al certificado de la autoridad',
    unchecked: 'No se pudo comprobar que el sello corresponda al certificado de la autoridad',
    outOfForce: 'No está probado que el certificado estuviera vigente al sellar',
    changes: 'Cambios después del sello',
  },
} as const

/** Programs show different documents: what changed is unknown. */
const READ_IN_TWO_WAYS = [
  'irregular-after-signature',
  'signature-key-repeated',
  'signed-in-two-ways',
] as const

/** Changes that leave a doubt, whatever the signature allows. */
const DOUBTFUL_CHANGES = ['annotated-after-signature', 'written-over-after-signature'] as const

/**
 * What was checked of a signature or a document timestamp, and with what result. Altered and false are said only where
 * a digest or a key says so. No changes are said only where the signed part is intact, ends at a clear place and reads in
 * one way. An authority is unknown only if it never answered for the certificate: one that has expired had an authority.
 */
export function checksOf(signature: SignatureReport): Check[] {
  const { kind, intact, valid, trusted, signer, modification, docMdp, fieldMdp } = signature
  const words = CHECKS[kind === 'document-timestamp' ? 'stamp' : 'signature']
  const warns = (code: Warning['code']) => signature.warnings.some((one) => one.code === code)
  const isForbidden = docMdp?.respected === false || fieldMdp.some(({ respected }) => !respected)
  const isAltered =
    modification === 'OTHER' ||
    modification === 'ANNOTATIONS' ||
    isForbidden ||
    DOUBTFUL_CHANGES.some(warns)
  const failedDigest = warns('signed-content-differs') ? words.altered : words.uncompared
  const failedKey = warns('signature-differs') ? words.invalid : words.unchecked
  const changes = `${words.changes}: ${MODIFICATIONS[modification].toLowerCase()}`
  const isClear = intact && signature.coverage !== 'UNCLEAR' && !READ_IN_TWO_WAYS.some(warns)
  const isVouched = trusted || signer?.vouched === true
  return [
    { isGood: intact, text: intact ? words.intact : failedDigest },
    { isGood: valid, text: valid ? words.valid : failedKey },
    {
      isGood: isVouched,
      text: isVouched
        ? 'Una autoridad reconocida emitió el certificado'
        : 'No se reconoce a la autoridad que emitió el certificado',
    },
    ...(isVouched && !trusted ? [{ isGood: false, text: words.outOfForce }] : []),
    ...(isClear || modification !== 'NONE' ? [{ isGood: !isAltered, text: changes }] : []),
    ...(isForbidden ? [{ isGood: false, text: 'Se cambió algo que esta firma prohíbe' }] : []),
  ]
}
