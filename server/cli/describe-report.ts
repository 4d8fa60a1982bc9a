import { formatInstant, type Instant } from '#server/domain/time.ts'
import type {
  ConstanciaReport,
  SignatureReport,
  VerificationReport,
} from '#server/domain/verification/report.ts'

/** A report for people at a terminal, es-MX. */
export function describeReport(report: VerificationReport): string {
  return [
    `${report.file}: ${report.sentence} [${report.verdict}]`,
    ...(report.signatures.some(({ forTesting }) => forTesting) ? [`  ${FOR_TESTING}`] : []),
    `  SHA-256 ${report.sha256}`,
    ...report.signatures.flatMap(describeSignature),
    ...(report.constancia ? describeConstancia(report.constancia) : []),
    ...report.warnings.map((warning) => `  ! ${warning}`),
  ]
    .map(harmless)
    .join('\n')
}

const FOR_TESTING =
  'Dictamen de prueba: la autoridad es de demostración o de pruebas; lo firmado no tiene validez.'

/** Names come from a stranger's file: what would steer the terminal is left out. */
const harmless = (line: string) => line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '·')

function describeSignature(signature: SignatureReport): string[] {
  const { signer, claimedTime } = signature
  const who = signer
    ? `${signer.name}${signer.rfc ? `, RFC ${signer.rfc}` : ''}`
    : 'firmante desconocido'
  const when = claimedTime ? `, ${spoken(claimedTime)}` : ''
  return [
    `  ${signature.field}: ${who}${when}${signature.forTesting ? ' (de prueba)' : ''}`,
    `    íntegra: ${yes(signature.intact)} · válida: ${yes(signature.valid)} · de confianza: ${yes(signature.trusted)}`,
    `    cobertura ${signature.coverage} · cambios ${signature.modification} · nivel ${signature.level}`,
    ...signature.changes.map((change) => `    - ${change.sentence}`),
    ...signature.warnings.map((warning) => `    ! ${warning}`),
  ]
}

function describeConstancia(constancia: ConstanciaReport): string[] {
  const { kind, verdict, sentence, authority, time, forTesting, warnings } = constancia
  const noun = kind === 'timestamp' ? 'Sello de tiempo' : 'Constancia'
  const when = time ? `, ${spoken(time)}` : ''
  return [
    `  ${noun}: ${authority ?? 'sin autoridad conocida'}${when}${forTesting ? ' (de prueba)' : ''} [${verdict}]`,
    `    ${sentence}`,
    ...warnings.map((warning) => `    ! ${warning}`),
  ]
}

const spoken = (time: string) => formatInstant(Date.parse(time) as Instant)

const yes = (value: boolean) => (value ? 'sí' : 'no')
