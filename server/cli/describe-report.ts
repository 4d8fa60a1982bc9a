import { shownText } from '#server/domain/text/shown-text.ts'
import type {
  Change,
  ConstanciaReport,
  SignatureReport,
  SignerFacts,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import { quoted } from '#server/words/quoted.ts'
import { authorityText, signerText } from '#server/words/unconfirmed-names.ts'
import { sentenceOfChange } from '#server/words/verification/changes.ts'
import { sentenceOfConstancia } from '#server/words/verification/constancias.ts'
import { sentenceOfHeadline } from '#server/words/verification/headlines.ts'
import { timeText } from '#server/words/verification/phrases.ts'
import { revocationText } from '#server/words/verification/revocation.ts'
import {
  CONSTANCIA_VERDICTS,
  COVERAGES,
  LEVELS,
  MODIFICATIONS,
  TIMESTAMPS,
  VERDICTS,
} from '#server/words/verification/terms.ts'
import { timestampText } from '#server/words/verification/timestamp-text.ts'
import { sentenceOfWarning } from '#server/words/verification/warnings.ts'

/** A report for people at a terminal, es-MX. */
export function describeReport(report: VerificationReport): string {
  return [
    `${shownText(report.file)}: ${sentenceOfHeadline(report.headline)} [${VERDICTS[report.verdict].word}]`,
    ...(report.signatures.some(({ forTesting }) => forTesting) ? [`  ${FOR_TESTING}`] : []),
    `  SHA-256 ${report.sha256}`,
    ...report.signatures.flatMap(describeSignature),
    ...(report.constancia ? describeConstancia(report.constancia) : []),
    ...report.warnings.map((warning) => `  ! ${sentenceOfWarning(warning)}`),
  ].join('\n')
}

/** Only filled fields name their page here: other sentences have it. */
const pageOf = ({ code, page }: Change) =>
  code === 'field-filled' && page !== undefined ? ` Página ${page}.` : ''

const FOR_TESTING =
  'Informe de prueba: la autoridad es de demostración o de pruebas; lo firmado no tiene validez.'

function describeSignature(signature: SignatureReport): string[] {
  const { signer, claimedTime } = signature
  const who = `${signerText(signer)}${rfcOf(signer)}`
  const when = claimedTime ? `, ${timeText(claimedTime)}` : ''
  return [
    `  ${quoted(signature.field)}: ${who}${when}${signature.forTesting ? ' (de prueba)' : ''}`,
    `    íntegra: ${yes(signature.intact)} · válida: ${yes(signature.valid)} · de confianza: ${yes(signature.trusted)}`,
    `    cubre: ${small(COVERAGES[signature.coverage])} · ${LEVELS[signature.level]}`,
    ...changesAfter(signature),
    `    hora probada: ${signature.provenTime ? timeText(signature.provenTime) : 'ninguna'}`,
    ...signature.timestamps.map(
      (stamp) => `    ${small(TIMESTAMPS[stamp.kind])}: ${timestampText(stamp)}`,
    ),
    `    revocación: ${small(revocationText(signature.revocation))}`,
    ...signature.changes.map((change) => `    - ${sentenceOfChange(change)}${pageOf(change)}`),
    ...signature.warnings.map((warning) => `    ! ${sentenceOfWarning(warning)}`),
  ]
}

function rfcOf(signer: SignerFacts | null): string {
  if (!signer?.rfc) return ''
  return signer.vouched ? `, RFC ${signer.rfc}` : `, dice tener el RFC ${signer.rfc}`
}

/** Of a file that itself was altered, only the changes that were found. */
const changesAfter = ({ intact, modification }: SignatureReport): string[] =>
  intact || modification !== 'NONE'
    ? [`    cambios después de firmar: ${small(MODIFICATIONS[modification])}`]
    : []

const small = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

function describeConstancia(constancia: ConstanciaReport): string[] {
  const { kind, verdict, headline, time, forTesting, warnings } = constancia
  const authority = authorityText(constancia)
  const noun = kind === 'timestamp' ? 'Sello de tiempo' : 'Constancia'
  const when = time ? `, ${timeText(time)}` : ''
  return [
    `  ${noun}: ${authority ?? 'sin autoridad conocida'}${when}${forTesting ? ' (de prueba)' : ''} [${CONSTANCIA_VERDICTS[verdict]}]`,
    `    ${sentenceOfConstancia(headline)}`,
    ...warnings.map((warning) => `    ! ${sentenceOfWarning(warning)}`),
  ]
}

const yes = (value: boolean) => (value ? 'sí' : 'no')
