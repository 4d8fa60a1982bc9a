import type { ComponentProps } from 'react'
import type { DeadlineRowView } from '#app/http/documents/deadline-row.ts'
import { PictureConsentSheet } from '#app/ui/document/picture-consent-sheet.tsx'
import { SigningSessionBadge } from '#app/ui/document/signing-session-badge.tsx'
import { UploadJudgementSheet } from '#app/ui/document/upload-judgement.tsx'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { Help } from '#app/ui/text/help.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { documentKinds } from '#server/words/documents.ts'
import { presenceMethods, signingMethods } from '#server/words/signing.ts'
import { ChecklistSheet } from './checklist/checklist-sheet.tsx'
import type { ListView } from './checklist/checklist-view.ts'
import { ConstanciaSheet } from './constancia-sheet.tsx'
import type { ConstanciaView } from './constancia-view.ts'
import { CopiesSheet } from './copies/copies-sheet.tsx'
import css from './document-facts.module.css'
import type { DocumentView } from './document-view.ts'
import { InstrumentSheet } from './instrument-sheet.tsx'
import type { NumberView } from './numbers/number-view.ts'
import { ObligationsSheet } from './obligations/obligations-sheet.tsx'
import { PublicLookupSheet } from './public-lookup-sheet.tsx'
import { PublicPicturesSheet } from './public-pictures-sheet.tsx'

type Props = {
  document: DocumentView
  constancia: ConstanciaView
  canReadLog: boolean
  canDescribe: boolean
  canSetLookup: boolean
  canPlaceStamp: boolean
  canSetPictures: boolean
  number: NumberView
  lists: readonly ListView[]
  obligations: readonly DeadlineRowView[]
  canCheck: boolean
  /** The user's own; null if they are no signer. */
  consent: 'given' | 'not-given' | null
  /** Null for a document that was never complete. */
  copies: ComponentProps<typeof CopiesSheet> | null
}

/** All facts of the document beside its pages. */
export function DocumentFacts({
  document,
  constancia,
  canReadLog,
  consent,
  copies,
  number,
  lists,
  obligations,
  ...can
}: Props) {
  const { canDescribe, canSetLookup, canPlaceStamp, canSetPictures } = can
  const history = (
    <span className={css.links}>
      <PageLink to={`/dashboard/documents/${document.id}/history`}>Ver todo el historial</PageLink>
      {canReadLog && (
        <PageLink to={`/dashboard/audit?subject=${document.id}`}>Ver en la bitácora</PageLink>
      )}
    </span>
  )
  const versions = document.versions.length > 1 && (
    <PageLink to={`/dashboard/documents/${document.id}/versions`}>Comparar versiones</PageLink>
  )
  return (
    <div className={css.facts}>
      {document.judgement && (
        <UploadJudgementSheet
          judgement={document.judgement}
          report={`/dashboard/documents/${document.id}/verdict`}
        />
      )}
      <Sheet title="Datos" aside={canDescribe && <EditLink document={document} />}>
        <FactList>
          <Fact name="Código de verificación">
            {document.code && <Hash value={document.code} size={19} />}
          </Fact>
          <Fact name="Tipo">{documentKinds[document.kind]}</Fact>
          <Fact name="Páginas">{document.pages}</Fact>
          <Fact name="Subido por">{document.author}</Fact>
          <Fact name="Subido">
            <Time at={document.uploaded.at}>{document.uploaded.text}</Time>
          </Fact>
          <Fact name="Sesión de firma">
            {document.session && <SessionLink session={document.session} />}
          </Fact>
          <Fact name="Prueba de largo plazo">{document.archive}</Fact>
          <Fact name="SHA-256">
            <Hash value={document.sha256} />
          </Fact>
        </FactList>
      </Sheet>
      <InstrumentSheet document={document} number={number} canDescribe={canDescribe} />
      <ChecklistSheet documentId={document.id} lists={lists} canCheck={can.canCheck} />
      <ObligationsSheet rows={obligations} />
      <Sheet title="Firmas">
        <Signatures document={document} />
      </Sheet>
      {document.state === 'signed' && (
        <ConstanciaSheet documentId={document.id} constancia={constancia} />
      )}
      <PublicLookupSheet document={document} canChange={canSetLookup} />
      <PublicPicturesSheet document={document} canChange={canSetPictures} />
      <PictureConsentSheet
        action={`/dashboard/documents/${document.id}/picture-consent`}
        consent={consent}
      />
      <StampSheet document={document} canPlace={canPlaceStamp} />
      {copies && <CopiesSheet {...copies} />}
      <Sheet title="Versiones" aside={versions}>
        <ol className={css.entries} reversed>
          {document.versions.map((version) => (
            <li key={version.version}>
              <VersionLink document={document} version={version} />
              <span>
                <Time at={version.made.at}>{version.made.text}</Time> · {version.size}
              </span>
              <Hash value={version.sha256} />
            </li>
          ))}
        </ol>
      </Sheet>
      <Sheet title="Historial" aside={history}>
        <ol className={css.entries} reversed>
          {document.history.map(({ text, at }) => (
            <li key={`${at.at} ${text}`}>
              {text}
              <span>
                <Time at={at.at}>{at.text}</Time>
              </span>
            </li>
          ))}
        </ol>
      </Sheet>
    </div>
  )
}

function VersionLink({
  document: { id, purge },
  version: { version, name },
}: {
  document: DocumentView
  version: DocumentView['versions'][number]
}) {
  if (purge) return <span>{name}</span>
  return <PageLink to={`/dashboard/documents/${id}/download/${version}`}>{name}</PageLink>
}

function SessionLink({ session }: { session: NonNullable<DocumentView['session']> }) {
  return (
    <span className={css.session}>
      <PageLink to={`/dashboard/signing/${session.id}`}>{session.title}</PageLink>
      <SigningSessionBadge state={session.state} />
    </span>
  )
}

const EditLink = ({ document }: Pick<Props, 'document'>) => (
  <PageLink to={`/dashboard/documents/${document.id}/edit`}>Editar título, tipo y datos</PageLink>
)

/** Only for a document that arrived signed, while it waits for a signature or may be asked for one. */
function StampSheet({ document, canPlace }: { document: DocumentView; canPlace: boolean }) {
  const { id, stamp, isPlaceable } = document
  const link = canPlace && isPlaceable && (
    <PageLink to={`/dashboard/documents/${id}/stamp`}>Elegir el lugar</PageLink>
  )
  if (!stamp && !link) return null
  return (
    <Sheet title="Lugar de la firma" aside={link}>
      <p>{stamp ?? 'Si se le pide otra firma, se verá en un lugar en blanco de sus páginas.'}</p>
    </Sheet>
  )
}

function Signatures({ document }: { document: DocumentView }) {
  const { signatures, signaturesBrought } = document
  const brought = Array.from({ length: signaturesBrought }, (_, index) => index + 1)
  if (signatures.length === 0 && signaturesBrought === 0)
    return <p className={css.none}>Nadie ha firmado este documento.</p>
  return (
    <>
      {signaturesBrought > 0 && (
        <p className={css.none}>
          El archivo llegó con{' '}
          {signaturesBrought === 1 ? 'una firma' : `${signaturesBrought} firmas`}. Sus bytes no se
          cambian: lo que se agrega va después.
        </p>
      )}
      {document.isClosedByFile && (
        <p className={css.none}>
          Una de esas firmas lo certifica o bloquea: nadie más puede firmarlo y no se le agrega
          nada. Si hace falta otra firma, pida el documento sin esa certificación.
        </p>
      )}
      {brought.length > 0 && (
        <ul className={css.entries}>
          {brought.map((place) => (
            <li key={place}>
              <PageLink to={revisionPath(document, place)}>
                Descargar lo que cubre la firma {place}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
      {signatures.length > 0 && (
        <div className={css.none}>
          Firmas dentro del PDF, según PAdES <Help about="pades" />
        </div>
      )}
      <ol className={css.entries}>
        {signatures.map((signature) => (
          <li key={signature.id}>
            <strong>{signature.signer}</strong>
            {signature.isTest && <Badge tone="wait">de prueba</Badge>}
            <span>
              <Time at={signature.signed.at}>{signature.signed.text}</Time>
            </span>
            {signature.character && <span>{signature.character}</span>}
            {signature.rfc && <span>RFC {signature.rfc}</span>}
            <span>
              Certificado <Hash value={signature.certificate.number} />
            </span>
            <PageLink to={`/dashboard/certificates/${signature.certificate.id}`}>
              Ver el certificado<span className="visually-hidden"> de {signature.signer}</span>
            </PageLink>
            <span>
              {signingMethods[signature.method]} · PAdES {signature.level}
            </span>
            {signature.presence && (
              <span>
                {presenceMethods[signature.presence.method]},{' '}
                <Time at={signature.presence.proven.at}>{signature.presence.proven.text}</Time>
              </span>
            )}
            {signature.place && (
              <PageLink to={revisionPath(document, signature.place)}>
                Descargar lo que firmó
              </PageLink>
            )}
          </li>
        ))}
      </ol>
      {signatures.some(({ presence }) => presence) && (
        <PageLink to={`/dashboard/documents/${document.id}/presence.json`}>
          Descargar evidencia de presencia
        </PageLink>
      )}
    </>
  )
}

/** Path of the file as it was when signature number `place` was made. */
const revisionPath = ({ id }: DocumentView, place: number) =>
  `/dashboard/documents/${id}/revision/${place}.pdf`
