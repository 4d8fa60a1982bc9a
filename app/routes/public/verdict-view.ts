import { formatDay, formatInstant, type Instant } from '#server/domain/time.ts'
import type {
  SignatureReport,
  SignerFacts,
  TimestampFacts,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import { maskedReport } from './masked-report.ts'
import {
  COVERAGES,
  INDICATIONS,
  MODIFICATIONS,
  REVOCATIONS,
  SIGNER_KINDS,
  TIMESTAMPS,
  VERDICTS,
} from './verdict-words.ts'

export type NamedFact = { name: string; value: string; isHash?: boolean }

export type VerdictOptions = {
  zone: string
  isDemo: boolean
  /** Names and RFC of signers are shown to whoever holds the file that says them anyway. */
  names: 'masked' | 'whole'
}

/** A report as texts: what the page shows, and nothing that it must not. */
export function verdictView(whole: VerificationReport, options: VerdictOptions) {
  const report = options.names === 'masked' ? maskedReport(whole, '') : whole
  return {
    ...VERDICTS[report.verdict],
    sentence: report.sentence,
    isTest: options.isDemo || report.signatures.some(({ forTesting }) => forTesting),
    signatures: inOrder(report.signatures).map((signature) => signatureView(signature, options)),
    warnings: report.warnings,
  }
}

export type VerdictView = ReturnType<typeof verdictView>

/** There is nothing to tell, whatever the reason. */
export function notFoundView(isDemo: boolean): VerdictView {
  return {
    ...VERDICTS.NOT_FOUND,
    sentence: 'No encontrado.',
    isTest: isDemo,
    signatures: [],
    warnings: [],
  }
}

/** What is said about the file itself, whoever registered it. */
export function fileFacts(report: VerificationReport): NamedFact[] {
  return [
    { name: 'Páginas', value: report.pages > 0 ? String(report.pages) : 'No se pudieron contar' },
    { name: 'Tamaño', value: `${report.bytes.toLocaleString('es-MX')} bytes` },
    { name: 'Huella digital (SHA-256)', value: report.sha256, isHash: true },
  ]
}

/** By the time that is known of each; what has none keeps its place in the file. */
function inOrder(signatures: readonly SignatureReport[]): SignatureReport[] {
  const timeOf = ({ provenTime, claimedTime }: SignatureReport) => claimedTime ?? provenTime ?? ''
  return signatures.toSorted((a, b) =>
    timeOf(a) && timeOf(b) ? Date.parse(timeOf(a)) - Date.parse(timeOf(b)) : 0,
  )
}

function signatureView(signature: SignatureReport, options: VerdictOptions) {
  const { signer, kind, indication, changes, warnings, timestamps } = signature
  return {
    field: signature.field,
    title:
      kind === 'document-timestamp'
        ? TIMESTAMPS.document
        : (signer?.name ?? 'Firmante desconocido'),
    ...INDICATIONS[indication],
    when: whenOf(signature, options.zone),
    checks: checksOf(signature),
    facts: signer ? signerFacts(signer, signature, options) : [],
    timestamps: timestamps.map((timestamp) => timestampFact(timestamp, options.zone)),
    changes: changes.map(({ sentence }) => sentence),
    warnings,
    details: detailsOf(signature),
  }
}

export type SignatureView = ReturnType<typeof signatureView>

function whenOf({ provenTime, claimedTime }: SignatureReport, zone: string): string {
  if (provenTime) return `${spoken(provenTime, zone)}, probado por un sello de tiempo`
  if (claimedTime) return `${spoken(claimedTime, zone)}, según quien firmó`
  return 'La firma no dice cuándo se hizo'
}

function checksOf(signature: SignatureReport) {
  const { intact, valid, trusted, modification, docMdp } = signature
  const isAltered =
    modification === 'OTHER' || modification === 'ANNOTATIONS' || docMdp?.respected === false
  return [
    {
      isGood: intact,
      text: intact ? 'Lo que se firmó está íntegro' : 'Lo que se firmó fue alterado',
    },
    {
      isGood: valid,
      text: valid
        ? 'La firma corresponde al certificado'
        : 'La firma no corresponde al certificado',
    },
    {
      isGood: trusted,
      text: trusted
        ? 'Una autoridad reconocida emitió el certificado'
        : 'No se reconoce a la autoridad que emitió el certificado',
    },
    {
      isGood: !isAltered,
      text: `Cambios después de firmar: ${MODIFICATIONS[modification].toLowerCase()}`,
    },
  ]
}

function signerFacts(
  signer: SignerFacts,
  { revocation }: SignatureReport,
  { zone }: VerdictOptions,
): NamedFact[] {
  const [from, to] = [signer.notBefore, signer.notAfter].map((time) => day(time, zone))
  return [
    ...(signer.rfc ? [{ name: 'RFC', value: signer.rfc }] : []),
    { name: 'Certificado', value: signer.certificateNumber, isHash: true },
    { name: 'Tipo', value: SIGNER_KINDS[signer.kind] },
    { name: 'Emitido por', value: signer.issuer },
    { name: 'Vigencia', value: `del ${from} al ${to}` },
    { name: 'Revocación', value: REVOCATIONS[revocation.status] },
  ]
}

function timestampFact({ kind, valid, time, authority }: TimestampFacts, zone: string): NamedFact {
  const state = valid ? 'válido' : 'no válido'
  const said = [time && spoken(time, zone), authority, state].filter(Boolean).join(', ')
  return { name: TIMESTAMPS[kind], value: said }
}

function detailsOf(signature: SignatureReport): NamedFact[] {
  const { algorithms, signer, indication, subIndication } = signature
  return [
    { name: 'Campo', value: `«${signature.field}»` },
    { name: 'Formato', value: `${signature.subFilter}, nivel ${signature.level}` },
    { name: 'Indicación (ETSI)', value: [indication, subIndication].filter(Boolean).join(' · ') },
    { name: 'Lo que cubre', value: COVERAGES[signature.coverage] },
    ...(algorithms
      ? [{ name: 'Algoritmos', value: `${algorithms.digest}, ${algorithms.signature}` }]
      : []),
    ...(signer
      ? [{ name: 'Huella del certificado (SHA-256)', value: signer.sha256, isHash: true }]
      : []),
  ]
}

const instantOf = (time: string) => Date.parse(time) as Instant
const spoken = (time: string, zone: string) => formatInstant(instantOf(time), zone)
const day = (time: string, zone: string) => formatDay(instantOf(time), zone)
