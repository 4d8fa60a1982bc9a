import { PictureConsentSheet } from '#app/ui/document/picture-consent-sheet.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Reader } from '#app/ui/reader/reader.tsx'
import type { ReaderView } from '#app/ui/reader/reader-view.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './guest.module.css'

type Props = {
  copy: {
    address: string
    id: string
    title: string
    folio: string
    version: number
    sha256: string
    name: string
    /** Whether all signers have signed. */
    isComplete: boolean
    /** Whether the session was rejected or cancelled. */
    isEnded: boolean
    /** To pictures of the pages on the public page; null where it is not asked. */
    consent: 'given' | 'not-given' | null
    /** The next document that waits for them. */
    next: { id: string; title: string } | null
  }
  reader: ReaderView
}

/** The guest's copy: the document in its current state, and where to verify it. */
export function GuestCopy({ copy, reader }: Props) {
  const { address, id, title, folio, version, sha256, name } = copy
  return (
    <>
      <PageHead
        title={title}
        lead={
          <>
            Folio {folio} · <PageLink to="/sign/documents">Volver a mis documentos</PageLink>
          </>
        }
        action={
          <ButtonLink
            to={`${address}/download/${version}`}
            reloadDocument
            leftSection={<Icon name="download" />}
          >
            Descargar mi copia
          </ButtonLink>
        }
      />
      <div className={css.signed} data-wide data-whole={reader.state.isWhole || undefined}>
        <div className={css.facts}>
          <Sheet title="Firmado">
            <Notice tone={copy.isEnded ? 'note' : 'good'} isLive={false}>
              {stateOf(copy)}
            </Notice>
            {copy.next && (
              <p className={css.next}>
                Firmado. Siguiente:{' '}
                <PageLink to={`/sign/documents/${copy.next.id}`}>{copy.next.title}</PageLink>
              </p>
            )}
            <FactList>
              <Fact name="Firmó">{name}</Fact>
              <Fact name="SHA-256">
                <Hash value={sha256} />
              </Fact>
              <Fact name="Verificación">
                <PageLink to={`/verify/${id}`}>
                  Comprobar el documento en la página pública
                </PageLink>
              </Fact>
            </FactList>
            <p className={css.quiet}>Descargue su copia: este enlace vence.</p>
          </Sheet>
        </div>
        <div className={css.pages}>
          <Reader view={reader} />
        </div>
        <div className={css.consents}>
          <PictureConsentSheet action={`${address}/picture-consent`} consent={copy.consent} />
        </div>
      </div>
    </>
  )
}

function stateOf({ isComplete, isEnded }: Props['copy']): string {
  if (isComplete) return 'El documento tiene todas sus firmas.'
  return isEnded
    ? 'Su firma está en esta copia. La sesión de firma terminó y nadie más firmará en ella.'
    : 'Su firma está en el documento. Todavía faltan otros firmantes: vuelva por la versión completa, o verifíquela en la página pública.'
}
