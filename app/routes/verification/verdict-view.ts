import type { PublicNames } from '#server/domain/identity/office.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import { characterText } from '#server/domain/signing/character-text.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import type { UnfinishedVerification } from '#server/features/verification/read-verification.ts'
import { quoted } from '#server/words/quoted.ts'
import { sentenceOfHeadline } from '#server/words/verification/headlines.ts'
import { FILLED_MEANING, type NoVerdict, VERDICTS } from '#server/words/verification/terms.ts'
import { BEING_SIGNED, NEVER_COMPLETED } from '#server/words/verification/unfinished.ts'
import { sentenceOfWarning } from '#server/words/verification/warnings.ts'
import { maskedReport } from './masked-report.ts'
import type { NamedFact } from './named-facts.tsx'
import { timelineOf } from './timeline.ts'
import { VERDICT_LOOKS } from './verdict-looks.ts'

export type VerdictOptions = {
  zone: string
  isDemo: boolean
  /** Whether names and RFC of the signers are shown in full: only to readers who have the file. */
  names: PublicNames | 'whole'
  /** Returns as what a signature was made here. */
  characterOf?: CharacterOf
}

export type CharacterOf = (
  signature: Pick<SignatureReport, 'field' | 'signer'>,
) => SigningCharacter | undefined

/** A notary signs as a public officer: their name and capacity are public. */
export const isNotarial = (signature: SignatureReport, characterOf: CharacterOf | undefined) =>
  signature.intact && signature.valid && characterOf?.(signature)?.kind === 'notarial'

/** Returns the report as texts for the page, masked as required. */
export function verdictView(whole: VerificationReport, options: VerdictOptions) {
  const { characterOf } = options
  const report =
    options.names === 'whole'
      ? whole
      : maskedReport(whole, '', (signature) => isNotarial(signature, characterOf), options.names)
  // The masked report has no field names to look them up by.
  const capacities = whole.signatures.map((signature) => {
    const character = characterOf?.(signature)
    return character && isNotarial(signature, characterOf) ? characterText(character) : null
  })
  return {
    ...VERDICT_LOOKS[report.verdict],
    ...VERDICTS[report.verdict],
    ...(report.headline.code === 'signed-then-filled' && { meaning: FILLED_MEANING }),
    sentence: sentenceOfHeadline(report.headline),
    filled: filledFields(report, options),
    isTest: options.isDemo || report.signatures.some(({ forTesting }) => forTesting),
    // Document timestamps have a signature field but no signer.
    signatures: report.signatures.filter(({ kind }) => kind !== 'document-timestamp').length,
    timeline: timelineOf(report, options.zone, capacities),
    warnings: report.warnings.map(sentenceOfWarning),
  }
}

export type FilledField = { id: string; field: string; where: string; value: string }

/** Each field that was filled after a signature, once. */
function filledFields(
  { signatures }: VerificationReport,
  { names }: VerdictOptions,
): FilledField[] {
  const fields = new Map<string, FilledField>()
  for (const { changes } of signatures)
    for (const change of changes)
      if (change.code === 'field-filled' && !fields.has(change.object))
        fields.set(change.object, {
          id: change.object,
          field: quoted(change.parameters.field),
          where: change.page === undefined ? '' : `página ${change.page}`,
          value: names === 'whole' ? valueText(change.parameters) : '',
        })
  return [...fields.values()]
}

const valueText = ({ value }: { value: string }) => (value ? quoted(value) : 'vacío')

export type VerdictView = ReturnType<typeof verdictView>

/** The answer for an unknown code, whatever the reason. */
export const notFoundView = (isDemo: boolean) =>
  viewWithoutFile('NOT_FOUND', 'No encontrado. Esto no significa que sea falso.', isDemo)

/** The answer for a document that is not complete: neither since when nor why. */
export const unfinishedView = ({ progress }: UnfinishedVerification, isDemo: boolean) =>
  progress === 'being-signed'
    ? viewWithoutFile('BEING_SIGNED', BEING_SIGNED, isDemo)
    : viewWithoutFile('NEVER_COMPLETED', NEVER_COMPLETED, isDemo)

const viewWithoutFile = (what: NoVerdict, sentence: string, isDemo: boolean): VerdictView => ({
  ...VERDICT_LOOKS[what],
  ...VERDICTS[what],
  sentence,
  filled: [],
  isTest: isDemo,
  signatures: 0,
  timeline: [],
  warnings: [],
})

/** Facts of the file itself, registered or not. */
export function fileFacts(report: VerificationReport): NamedFact[] {
  return [
    { name: 'Páginas', value: report.pages > 0 ? String(report.pages) : 'No se pudieron contar' },
    { name: 'Tamaño', value: `${report.bytes.toLocaleString('es-MX')} bytes` },
    ...(report.encrypted ? [{ name: 'Cifrado', value: 'Sí, y se pudo abrir sin contraseña' }] : []),
    { name: 'Huella digital (SHA-256)', value: report.sha256, isHash: true },
  ]
}
