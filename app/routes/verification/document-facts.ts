import type { TreeHead } from '#server/domain/audit/merkle-tree.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import type { PublicVerification } from '#server/features/verification/read-verification.ts'
import { NOT_IN_PROTOCOL } from '#server/words/acts.ts'
import { documentKinds } from '#server/words/documents.ts'
import type { NamedFact } from './named-facts.tsx'
import { fileFacts } from './verdict-view.ts'

/** The public facts of a document. Title and file name are left out: they may reveal the parties. */
export function documentFacts({
  document,
  office,
  report,
  constancia,
  verifiedAt,
  log,
  ...rest
}: Omit<PublicVerification, Optional | 'characterOf'> &
  Partial<Pick<PublicVerification, Optional>>): NamedFact[] {
  const { version, isFurtherSigning, isBeingSigned, leavesProtocol } = rest
  // While signatures are added, the state is of the signing that is under way.
  const signedAt = isFurtherSigning ? version.at : document.stateSince

  return [
    ...unfinishedFacts({ document, office, leavesProtocol }),
    { name: 'Firmado', value: formatInstant(signedAt, office.timeZone) },
    ...(isBeingSigned ? [FURTHER_SIGNING] : []),
    ...(constancia ? [{ name: 'Constancia NOM-151', value: CONSTANCIAS[constancia] }] : []),
    ...(log ? [{ name: 'Bitácora', value: sentenceAbout(log) }] : []),
    { name: 'Informe del', value: formatInstant(verifiedAt, office.timeZone) },
    ...fileFacts(report),
  ]
}

type Optional = 'log' | 'isFurtherSigning' | 'isBeingSigned'

/** What the public may know of a document before it is complete: what its paper says. */
export const unfinishedFacts = ({
  document,
  office,
  leavesProtocol,
}: Pick<PublicVerification, 'document' | 'office' | 'leavesProtocol'>): NamedFact[] => [
  ...(leavesProtocol ? [{ name: 'Protocolo', value: `${NOT_IN_PROTOCOL}.` }] : []),
  { name: 'Tipo', value: documentKinds[document.kind] },
  { name: 'Folio', value: document.folio },
  { name: 'Notaría', value: office.name },
  document.publicLookup.state === 'on'
    ? { name: 'Código de verificación', value: document.verificationCode }
    : NOT_PUBLIC,
]

/** Only users of the office see it. */
const NOT_PUBLIC: NamedFact = {
  name: 'Consulta pública',
  value: 'Apagada: fuera de la notaría, este código y este archivo no se encuentran.',
}

/** Neither who is asked nor since when: only that this verdict is about the complete version. */
const FURTHER_SIGNING: NamedFact = {
  name: 'Otra firma',
  value: 'En trámite. Este informe es de la última versión completa.',
}

const CONSTANCIAS: Record<ConstanciaState, string> = {
  pending: 'Constancia pendiente: el prestador aún no la emite',
  issued: 'Emitida',
  failed: 'No emitida',
}

function sentenceAbout(log: PublicVerification['log']): string {
  switch (log.kind) {
    case 'proven':
      return `${signingsAt(log.events)}. Lo prueba el punto de control firmado sobre ${log.heads.map(treeOf).join(', y el firmado sobre ')}`
    case 'waiting':
      return `${signingsAt(log.events)}. Lo probará el próximo punto de control que se firme.`
    case 'unproven':
      return 'No se pudo comprobar que la firma conste en la bitácora. Avise a la notaría.'
  }
}

const treeOf = ({ size, root }: TreeHead) =>
  `${size.toLocaleString('es-MX')} eventos, con raíz ${root.slice(0, 16)}…`

const signingsAt = (events: readonly number[]) =>
  events.length === 1
    ? `La firma consta en la bitácora como evento ${events[0]}`
    : `Las firmas constan en la bitácora como eventos ${events.slice(0, -1).join(', ')} y ${events.at(-1)}`
