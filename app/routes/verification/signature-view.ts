import type { Change, SignatureReport, SignerFacts } from '#server/domain/verification/report.ts'
import { NAMELESS, quoted } from '#server/words/quoted.ts'
import { saysAuthority, saysName, signerTitle } from '#server/words/unconfirmed-names.ts'
import { sentenceOfChange } from '#server/words/verification/changes.ts'
import { checksOf } from '#server/words/verification/checks.ts'
import { dayText, timeText } from '#server/words/verification/phrases.ts'
import { revocationText } from '#server/words/verification/revocation.ts'
import {
  CERTIFICATIONS,
  COVERAGES,
  INDICATIONS,
  SIGNER_KINDS,
  STAMP_WORDS,
  TIMESTAMPS,
} from '#server/words/verification/terms.ts'
import { timestampText } from '#server/words/verification/timestamp-text.ts'
import { sentenceOfWarning } from '#server/words/verification/warnings.ts'
import type { NamedFact } from './named-facts.tsx'
import { INDICATION_TONES } from './verdict-looks.ts'

/** The name of the fact that says as what a notary signed. */
export const CAPACITY = 'Carácter'

/**
 * A signature as texts; masked if the report is.
 *
 * @param capacity `Notario titular`; null for a signature that is not notarial, as far as we know
 */
export function signatureView(
  signature: SignatureReport,
  zone: string,
  capacity: string | null = null,
) {
  const { signer, kind, indication, timestamps } = signature
  return {
    field: signature.field,
    title: kind === 'document-timestamp' ? TIMESTAMPS.document : signerTitle(signer),
    /** What an unconfirmed signer calls themselves; null if an authority confirms the name. */
    claim: signer && !signer.vouched ? claimOf(signer, kind) : null,
    tone: INDICATION_TONES[indication],
    word: (kind === 'document-timestamp' ? STAMP_WORDS : INDICATIONS)[indication],
    when: whenOf(signature, zone),
    checks: checksOf(signature),
    facts: [
      ...(capacity ? [{ name: CAPACITY, value: capacity }] : []),
      ...timeFacts(signature, zone),
      ...timestamps.map((timestamp) => ({
        name: TIMESTAMPS[timestamp.kind],
        value: timestampText(timestamp, zone),
      })),
      ...(signer ? signerFacts(signer, signature, zone) : []),
    ],
    afterwards: kind === 'document-timestamp' ? 'Después de este sello' : 'Después de esta firma',
    changes: byPage(signature.changes),
    warnings: signature.warnings.map(sentenceOfWarning),
    details: detailsOf(signature),
  }
}

export type SignatureView = ReturnType<typeof signatureView>

const claimOf = ({ name }: SignerFacts, kind: SignatureReport['kind']) =>
  kind === 'signature'
    ? `Quien firmó ${saysName(name)}; ninguna autoridad reconocida lo confirma.`
    : `Quien lo emitió ${saysAuthority(name)}; ninguna autoridad reconocida lo confirma.`

function whenOf({ kind, provenTime, claimedTime }: SignatureReport, zone: string): string {
  if (provenTime) return `${timeText(provenTime, zone)}, probado por un sello de tiempo`
  if (claimedTime) {
    const by = kind === 'document-timestamp' ? 'según quien lo emitió' : 'según quien firmó'
    return `${timeText(claimedTime, zone)}, ${by}`
  }
  return kind === 'document-timestamp'
    ? 'Ningún sello confiable prueba su fecha'
    : 'La firma no dice cuándo se hizo'
}

/** The time that the signer claims, if a timestamp gives a better one. */
const timeFacts = (
  { kind, provenTime, claimedTime }: SignatureReport,
  zone: string,
): NamedFact[] =>
  kind !== 'document-timestamp' && provenTime && claimedTime
    ? [{ name: 'Hora según quien firmó', value: timeText(claimedTime, zone) }]
    : []

/** Later changes by page; those without a page first. */
function byPage(changes: readonly Change[]) {
  const groups = Map.groupBy(changes, ({ page }) => page ?? 0)
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([page, ofPage]) => ({
      title: page === 0 ? 'En el archivo' : `Página ${page}`,
      sentences: [...new Set(ofPage.map(sentenceOfChange))],
    }))
}

function signerFacts(
  { rfc, certificateNumber, kind, issuer, notBefore, notAfter, vouched: isKnown }: SignerFacts,
  { revocation }: SignatureReport,
  zone: string,
): NamedFact[] {
  const type = SIGNER_KINDS[kind]
  const isEfirma = kind === 'efirma-natural' || kind === 'efirma-legal'
  return [
    ...(rfc ? [{ name: isKnown ? 'RFC' : 'Dice tener el RFC', value: rfc }] : []),
    { name: 'Certificado', value: certificateNumber, isHash: true },
    { name: 'Tipo', value: isKnown || !isEfirma ? type : `Dice ser ${type}, sin confirmar` },
    isKnown
      ? { name: 'Emitido por', value: issuer }
      : { name: 'Dice haberlo emitido', value: quoted(issuer) },
    { name: 'Vigencia', value: `del ${dayText(notBefore, zone)} al ${dayText(notAfter, zone)}` },
    { name: 'Revocación', value: revocationText(revocation, zone) },
  ]
}

function detailsOf(signature: SignatureReport): NamedFact[] {
  const { algorithms, signer, indication, subIndication, docMdp, fieldMdp } = signature
  return [
    { name: 'Campo', value: quoted(signature.field) },
    { name: 'Formato', value: `${signature.subFilter || NAMELESS}, nivel ${signature.level}` },
    { name: 'Indicación (ETSI)', value: [indication, subIndication].filter(Boolean).join(' · ') },
    { name: 'Lo que cubre', value: COVERAGES[signature.coverage] },
    ...(docMdp ? [{ name: 'Permite después', value: CERTIFICATIONS[docMdp.level] }] : []),
    ...fieldMdp.map(({ action, fields }) => ({
      name: 'Campos que bloquea',
      value: locked(action, fields),
    })),
    ...(algorithms
      ? [{ name: 'Algoritmos', value: `${algorithms.digest}, ${algorithms.signature}` }]
      : []),
    ...(signer
      ? [{ name: 'Huella del certificado (SHA-256)', value: signer.sha256, isHash: true }]
      : []),
  ]
}

type Lock = SignatureReport['fieldMdp'][number]

function locked(action: Lock['action'], fields: readonly string[]): string {
  if (action === 'All') return 'Todos'
  const names = fields.map((field) => quoted(field)).join(', ') || 'ninguno se muestra aquí'
  return action === 'Include' ? names : `Todos menos ${names}`
}
