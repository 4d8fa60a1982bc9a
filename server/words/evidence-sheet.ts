import type { SignatureReport } from '#server/domain/verification/report.ts'
import { quoted } from './quoted.ts'
import { sentenceOfWarning } from './verification/warnings.ts'

/* Words of the evidence sheet about a signature, es-MX. */

export const UNKNOWN = 'No se sabe'

/** `PAdES B-LTA, campo “Firma1”` */
export const formatText = (level: string, field: string) => `PAdES ${level}, campo ${quoted(field)}`

const RESULTS: Record<SignatureReport['indication'], string> = {
  TOTAL_PASSED: 'Firma válida',
  INDETERMINATE: 'Firma sin confirmar',
  TOTAL_FAILED: 'Firma no válida',
}

/** The first warning says why a signature is not valid. */
export function signatureResult({ indication, forTesting, warnings }: SignatureReport): string {
  const result = forTesting ? `${RESULTS[indication]}, de prueba` : RESULTS[indication]
  const why = indication === 'TOTAL_PASSED' ? undefined : warnings[0]
  return why ? `${result}. ${sentenceOfWarning(why)}` : result
}
